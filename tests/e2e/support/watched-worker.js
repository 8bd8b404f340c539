// Counts what the workers of a page answer: whole timelines, and errors.
window.workerAnswers = { timelines: 0, errors: 0 };
window.Worker = class extends window.Worker {
  constructor(...how) {
    super(...how);
    this.addEventListener("error", () => (window.workerAnswers.errors += 1));
    this.addEventListener("message", ({ data }) => {
      if (data.fault) window.workerAnswers.errors += 1;
      if (data.value?.manuscript && data.value.moments) window.workerAnswers.timelines += 1;
    });
  }
};
