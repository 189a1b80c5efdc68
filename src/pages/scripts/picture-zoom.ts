// Adds zoom to a picture: buttons, the keys + - 0 1, the wheel with Control, and two fingers. Without script there are
// the links to both sizes.
const STEP = 1.25;
const LEAST = 0.02;
const MOST = 20;

function zoomOf(figure: HTMLElement, frame: HTMLElement, picture: HTMLImageElement): void {
  const status = document.createElement("span");
  status.setAttribute("role", "status");
  const own = (): number => picture.naturalWidth || picture.width || frame.clientWidth;
  const fitted = (): number => Math.min(1, frame.clientWidth / own());
  const scaleNow = (): number => picture.getBoundingClientRect().width / own();
  /** Keeps what is at this point of the frame where it is. */
  const zoomTo = (scale: number, x = frame.clientWidth / 2, y = frame.clientHeight / 2): void => {
    const before = scaleNow();
    const next = Math.min(MOST, Math.max(LEAST, scale));
    const [left, top] = [frame.scrollLeft + x, frame.scrollTop + y];
    picture.style.maxWidth = "none";
    picture.style.width = `${own() * next}px`;
    picture.style.height = "auto";
    frame.scrollTo({ left: (left * next) / before - x, top: (top * next) / before - y, behavior: "instant" });
    status.textContent = `${Math.round(next * 100)} %`;
  };
  const actions: readonly (readonly [label: string, key: string, act: () => void])[] = [
    [figure.dataset.in ?? "", "+", () => zoomTo(scaleNow() * STEP)],
    [figure.dataset.out ?? "", "-", () => zoomTo(scaleNow() / STEP)],
    [figure.dataset.fit ?? "", "0", () => zoomTo(fitted())],
    [figure.dataset.full ?? "", "1", () => zoomTo(1)],
  ];
  const row = document.createElement("div");
  row.className = "buttons";
  row.setAttribute("role", "group");
  row.setAttribute("aria-label", figure.dataset.zoom ?? "");
  for (const [label, key, act] of actions) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "small";
    button.textContent = label;
    button.setAttribute("aria-keyshortcuts", key);
    button.addEventListener("click", act);
    row.append(button);
  }
  row.append(status);
  figure.querySelector(".links")?.replaceWith(row);
  frame.addEventListener("keydown", (event) => {
    const key = event.key === "=" ? "+" : event.key;
    const found = actions.find(([, each]) => each === key);
    if (found === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    found[2]();
  });
  const placed = (event: MouseEvent): readonly [number, number] => {
    const { left, top } = frame.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  };
  frame.addEventListener(
    "wheel",
    (event) => {
      // The wheel alone scrolls.
      if (!event.ctrlKey) return;
      event.preventDefault();
      zoomTo(scaleNow() * (event.deltaY < 0 ? STEP : 1 / STEP), ...placed(event));
    },
    { passive: false },
  );
  pinch(frame, (factor, x, y) => zoomTo(scaleNow() * factor, x, y));
}

/** Two fingers: by how much their distance grew since the last event, around the point between them. */
function pinch(frame: HTMLElement, zoom: (factor: number, x: number, y: number) => void): void {
  let apart = 0;
  frame.addEventListener(
    "touchmove",
    (event) => {
      const [one, other] = event.touches;
      if (one === undefined || other === undefined) return;
      event.preventDefault();
      const now = Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
      const { left, top } = frame.getBoundingClientRect();
      if (apart > 0)
        zoom(now / apart, (one.clientX + other.clientX) / 2 - left, (one.clientY + other.clientY) / 2 - top);
      apart = now;
    },
    { passive: false },
  );
  frame.addEventListener("touchend", () => {
    apart = 0;
  });
}

for (const figure of document.querySelectorAll<HTMLElement>("[data-zoom]")) {
  const frame = figure.querySelector<HTMLElement>(".frame");
  const picture = figure.querySelector("img");
  if (frame !== null && picture !== null) zoomOf(figure, frame, picture);
}
