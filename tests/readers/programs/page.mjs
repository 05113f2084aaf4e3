// Opens an exported page in a browser without a window, scrubs through it and prints its figures:
//   node page.mjs CHROMIUM PAGE PICTURE SECONDS…
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const require = createRequire(pathToFileURL(process.cwd() + "/"));
const puppeteer = (await import(pathToFileURL(require.resolve("puppeteer-core")))).default;
const [chromium, page, picture, ...seconds] = process.argv.slice(2);

const browser = await puppeteer.launch({
  executablePath: chromium,
  headless: true,
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"],
});
try {
  const tab = await browser.newPage();
  await tab.setViewport({ width: 1280, height: 720 });
  const asked = [], wrong = [];
  tab.on("request", (request) => asked.push(request.url()));
  tab.on("pageerror", (error) => wrong.push(error.message));
  tab.on("console", (message) => message.type() === "error" && wrong.push(message.text()));
  await tab.goto(pathToFileURL(page).href);
  await tab.waitForFunction("window.wayloom && window.wayloom.ready", { timeout: 60000 });
  const about = await tab.evaluate(() => ({
    walkers: window.wayloom.walkers.length,
    positions: window.wayloom.walkers.reduce((sum, w) => sum + w.count, 0),
    frames: window.wayloom.data.frames,
    length: window.wayloom.walkers.reduce((sum, w) => {
      for (let i = 1; i < w.count; i++) sum += Math.hypot(w.xs[i] - w.xs[i - 1], w.ys[i] - w.ys[i - 1]);
      return sum;
    }, 0),
    shapes: document.querySelectorAll("#map path, #map circle, #map rect").length,
  }));
  console.log(`LOADED ${about.walkers} ${about.positions} ${about.frames} ${about.length.toFixed(4)} ${about.shapes}`);
  for (const second of seconds) {
    // As a person does it: by dragging along the timeline.
    const box = await (await tab.$("#timeline")).boundingBox();
    const duration = await tab.evaluate(() => (window.wayloom.data.frames - 1) * window.wayloom.data.interval);
    const x = box.x + 8 + (Number(second) / duration) * (box.width - 16);
    await tab.mouse.move(box.x + 8, box.y + 20);
    await tab.mouse.down();
    await tab.mouse.move(x, box.y + 20, { steps: 4 });
    await tab.mouse.up();
    const scrubbed = await tab.evaluate(() => window.wayloom.state.time);
    const now = await tab.evaluate((at) => {
      window.wayloom.seek(at);
      return window.wayloom.figures(at);
    }, Number(second));
    const shown = await tab.evaluate(() => [...document.querySelectorAll(".card strong")].map((e) => e.textContent));
    console.log(`AT ${second} ${scrubbed.toFixed(3)} ${now.present} ${now.arrived} ${(now.speed ?? NaN).toFixed(6)} ${shown[0]} ${shown[1]}`);
  }
  // Everything that can be pressed.
  for (const colour of ["speed", "density", "group", "profile"]) await tab.select("#colour", colour);
  for (const id of ["heat", "names", "in", "out", "fit", "heat"]) await tab.click("#" + id);
  const before = await tab.evaluate(() => { window.wayloom.seek(0); return window.wayloom.state.time; });
  await tab.click("#play");
  await new Promise((done) => setTimeout(done, 700));
  const after = await tab.evaluate(() => window.wayloom.state.time);
  await tab.click("#play");
  console.log(`PLAYED ${after > before ? 1 : 0}`);
  await tab.evaluate((at) => window.wayloom.seek(at), Number(seconds[0]));
  await tab.screenshot({ path: picture });
  const foreign = asked.filter((url) => !url.startsWith("file:") && !url.startsWith("data:") && !url.startsWith("blob:"));
  console.log(`ASKED ${foreign.length}`);
  console.log(`ERRORS ${wrong.length} ${wrong.join(" | ")}`);
} finally {
  await browser.close();
}
