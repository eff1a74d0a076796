import { Refused, RoomAdminApi } from "./api.ts";
import { Graphs } from "./graphs.ts";
import { EntityMap } from "./map.ts";
import { showEntity, showFigures, showLog, showSeats } from "./panels.ts";

/** Views a second; each is a request of the room's. */
const VIEW_MS = 500;
const REPORT_MS = 1000;
/** The token outlives a reload of the tab, and nothing else. */
const TOKEN_KEY = "tickroom admin token";

function part<E extends HTMLElement>(id: string): E {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no "${id}"`);
  return found as E;
}

const form = part<HTMLFormElement>("open");
const roomField = part<HTMLInputElement>("room");
const tokenField = part<HTMLInputElement>("token");
const says = part("says");
const graphs = new Graphs(part("graphs"));
const pickedList = part("picked");
const map = new EntityMap(part("map"), part("legend"), () => showEntity(pickedList, map.picked));

let api: RoomAdminApi | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let reportAtMs = 0;

function say(text: string, isBad = false): void {
  says.textContent = text;
  says.classList.toggle("bad", isBad);
}

/** Does something to the room and says how it went. */
async function act(what: string, run: (room: RoomAdminApi) => Promise<unknown>): Promise<void> {
  if (!api) return;
  try {
    await run(api);
    say(what);
  } catch (error) {
    say(`${what}: ${error instanceof Error ? error.message : error}`, true);
  }
}

async function look(room: RoomAdminApi): Promise<void> {
  const view = await room.view();
  if (room !== api) return;
  map.show(view);
  showEntity(pickedList, map.picked);
  showSeats(part("seats"), view.seats, (seat) => {
    const { value: reason } = part<HTMLInputElement>("reason");
    void act(`seat ${seat} was sent away`, (one) => one.kick(seat, reason));
  });
  showLog(part("log"), view.log);
  const hidden = view.entityCount - view.entities.length;
  part("more").textContent = hidden > 0 ? `and ${hidden} more that aren't shown` : "";
  const nowMs = Date.now();
  if (nowMs < reportAtMs) return;
  reportAtMs = nowMs + REPORT_MS;
  const report = await room.report();
  if (room !== api) return;
  showFigures(part("figures"), report);
  graphs.add(report, nowMs);
}

/** Looks again and again, but not while nobody looks at the page. */
async function follow(room: RoomAdminApi): Promise<void> {
  try {
    if (!document.hidden) {
      await look(room);
      if (room === api && says.classList.contains("bad")) say("");
    }
  } catch (error) {
    if (room !== api) return;
    const text = error instanceof Error ? error.message : String(error);
    // The Worker doesn't tell a wrong token from a wrong address.
    const isLost = error instanceof Refused && error.status === 404;
    say(isLost ? "There is no such kind of room, or the token isn't right." : text, true);
    if (isLost) return;
  }
  if (room === api) timer = setTimeout(() => void follow(room), VIEW_MS);
}

function begin(room: string, token: string): void {
  clearTimeout(timer);
  api = new RoomAdminApi(room, token);
  reportAtMs = 0;
  map.forget();
  graphs.forget();
  say("");
  document.title = `${room} · Tickroom`;
  void follow(api);
}

async function save(path: "/state" | "/export", name: string): Promise<void> {
  await act(`${name} was saved`, async (room) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await room.file(path));
    link.download = `${room.room.replace(":", "-")}.${name}`;
    link.click();
    URL.revokeObjectURL(link.href);
  });
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const [room, token] = [roomField.value.trim(), tokenField.value];
  sessionStorage.setItem(TOKEN_KEY, token);
  history.replaceState(null, "", `?${new URLSearchParams({ room })}`);
  begin(room, token);
});
part("close").addEventListener("click", () => {
  const { value: reason } = part<HTMLInputElement>("reason");
  const inSeconds = Number(part<HTMLInputElement>("seconds").value);
  void act(`the room closes in ${inSeconds} s`, (room) => room.close(inSeconds, reason));
});
part("reopen").addEventListener("click", () => act("the room is open", (room) => room.open()));
part("save-state").addEventListener("click", () => save("/state", "state.json"));
part("save-records").addEventListener("click", () => save("/export", "records"));

roomField.value = new URLSearchParams(location.search).get("room") ?? "";
tokenField.value = sessionStorage.getItem(TOKEN_KEY) ?? "";
if (roomField.value && tokenField.value) begin(roomField.value, tokenField.value);
