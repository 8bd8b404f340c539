import { createServer } from "node:http";
import { WebSocketServer } from "ws";

/**
 * The page of the baseline: a plain text area that sends each letter and inserts the letters of
 * others.
 */
const page = `<!doctype html><textarea aria-label="Bare" rows="20" cols="80"></textarea><script>
  const area = document.querySelector('textarea')
  const socket = new WebSocket('ws://' + location.host)
  area.addEventListener('input', (event) => socket.send(event.data))
  socket.addEventListener('message', ({ data }) => {
    area.value += data
    dispatchEvent(new CustomEvent('heard', { detail: data }))
  })
  socket.addEventListener('open', () => (document.title = 'open'))
</script>`;

const server = createServer((_request, response) =>
  response.setHeader("content-type", "text/html").end(page),
);
const relay = new WebSocketServer({ server, perMessageDeflate: false });
relay.on("connection", (socket) => {
  socket.on("message", (data) => {
    for (const other of relay.clients) if (other !== socket) other.send(String(data));
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.(typeof address === "object" && address !== null ? address.port : 0);
});
process.on("disconnect", () => process.exit(0));
