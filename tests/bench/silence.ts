// How much longer an address with an account takes than an unknown one. The two must be
// indistinguishable: the results are ratios of medians, and 1 is best.
import { testBackend } from "@/tests/support/product/backend";
import { signUp } from "@/tests/support/writers/people";

const rounds = 60;
const backend = await testBackend();

async function timeOf(path: string, body: object): Promise<number> {
  const begun = performance.now();
  const headers = { apikey: backend.keys.publishableKey, "content-type": "application/json" };
  const response = await fetch(`${backend.url}/auth/v1/${path}`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  if (response.status === 429)
    throw new Error("The limit was reached: the answer was not that of an account");
  return performance.now() - begun;
}

const median = (times: number[]) => times.sort((one, other) => one - other)[times.length >> 1] ?? 0;

try {
  const asked = [
    { name: "password", path: "token?grant_type=password", body: { password: "a wrong password" } },
    { name: "recovery", path: "recover", body: {} },
    { name: "sign-in link", path: "otp", body: { create_user: false } },
  ];
  for (const { name, path, body } of asked) {
    const [known, unknown]: [number[], number[]] = [[], []];
    let email = "";
    for (let round = 0; round < rounds; round += 1) {
      // Nine tries per account, because the limit is ten.
      if (round % 9 === 0) email = (await signUp(backend, "Known")).email;
      known.push(await timeOf(path, { ...body, email }));
      unknown.push(await timeOf(path, { ...body, email: `nobody.${round}@example.com` }));
    }
    console.log(
      `${name}: ${median(known).toFixed(1)} ms with an account, ` +
        `${median(unknown).toFixed(1)} ms without; ratio ` +
        `${(median(known) / median(unknown)).toFixed(2)}`,
    );
  }
} finally {
  await backend.stop();
}
