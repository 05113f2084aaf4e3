"use strict";
(async () => {
  const $ = (id) => document.getElementById(id);
  const data = JSON.parse($("data").textContent);
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const { interval, frames, view } = data;
  const duration = (frames - 1) * interval;

  // ---- Positions: differences of whole millimetres, zigzag, 7 bits a byte, deflated.

  async function unpack(text) {
    const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  const bytes = await unpack(data.positions);
  let cursor = 0;
  function number() {
    let value = 0, scale = 1;
    for (;;) {
      const byte = bytes[cursor++];
      value += (byte & 127) * scale;
      if (byte < 128) break;
      scale *= 128;
    }
    return value % 2 ? -(value + 1) / 2 : value / 2;
  }
  const walkers = data.walkers.map(([name, profile, group, radius, first, count], index) => {
    const xs = new Float32Array(count), ys = new Float32Array(count);
    let x = 0, y = 0;
    for (let i = 0; i < count; i++) {
      x += number();
      y += number();
      xs[i] = x / 1000;
      ys[i] = y / 1000;
    }
    return { index, name, profile, group, radius, first, count, xs, ys };
  });

  // Speed around a frame, over one interval at the ends; as the program measures it.
  function speedOf(w, i) {
    const a = Math.max(i - 1, 0), b = Math.min(i + 1, w.count - 1);
    return b > a ? Math.hypot(w.xs[b] - w.xs[a], w.ys[b] - w.ys[a]) / ((b - a) * interval) : 0;
  }

  // ---- Curves over time.

  const present = new Float64Array(frames), arrived = new Float64Array(frames), speeds = new Float64Array(frames);
  for (const w of walkers) {
    for (let i = 0; i < w.count; i++) {
      present[w.first + i]++;
      speeds[w.first + i] += speedOf(w, i);
    }
    if (w.first + w.count < frames) arrived[w.first + w.count]++;
  }
  for (let f = 1; f < frames; f++) arrived[f] += arrived[f - 1];
  const meanSpeed = speeds.map((sum, f) => (present[f] ? sum / present[f] : NaN));
  const top = (values) => values.reduce((m, v) => (v > m ? v : m), 0);
  const fastest = Math.max(0.5, Math.ceil(top(walkers.map((w) => {
    let most = 0;
    for (let i = 0; i < w.count; i += 4) most = Math.max(most, speedOf(w, i));
    return most;
  })) * 2) / 2);

  function figures(time) {
    const f = Math.min(Math.max(Math.round(time / interval), 0), frames - 1);
    return { time: f * interval, present: present[f], arrived: arrived[f], speed: meanSpeed[f] };
  }

  // ---- State and camera.

  const state = { time: 0, playing: false, rate: 1, loop: true, colour: "profile", trails: true, heat: false, names: false, selected: -1, hidden: new Set() };
  const stage = $("stage"), map = $("map"), canvas = $("agents"), pen = canvas.getContext("2d");
  const world = { w: view[2] - view[0], h: view[3] - view[1] };
  const svg = map.firstElementChild;
  const svgScale = svg ? svg.viewBox.baseVal.width / world.w : 1;
  // Pixels per metre, and where on the stage the corner at the upper left of the map is.
  const camera = { scale: 1, x: 0, y: 0, fitted: true };
  const screen = (x, y) => [camera.x + (x - view[0]) * camera.scale, camera.y + (view[3] - y) * camera.scale];

  function fit() {
    const { clientWidth: w, clientHeight: h } = stage;
    camera.scale = Math.min((w - 32) / world.w, (h - 32) / world.h);
    camera.x = (w - world.w * camera.scale) / 2;
    camera.y = (h - world.h * camera.scale) / 2;
    camera.fitted = true;
    moved();
  }
  function zoom(factor, x = stage.clientWidth / 2, y = stage.clientHeight / 2) {
    const least = 0.2 * Math.min(stage.clientWidth / world.w, stage.clientHeight / world.h);
    const scale = Math.min(Math.max(camera.scale * factor, least), 400);
    const ratio = scale / camera.scale;
    camera.x = x - (x - camera.x) * ratio;
    camera.y = y - (y - camera.y) * ratio;
    camera.scale = scale;
    camera.fitted = false;
    moved();
  }
  function moved() {
    map.style.transform = `translate(${camera.x}px, ${camera.y}px) scale(${camera.scale / svgScale})`;
    const wanted = 110 / camera.scale, power = 10 ** Math.floor(Math.log10(wanted));
    const metres = [5, 2, 1].map((k) => k * power).find((m) => m <= wanted) ?? power;
    $("bar").firstElementChild.style.width = `${metres * camera.scale}px`;
    $("bar").lastElementChild.textContent = metres >= 1 ? `${metres} m` : `${Math.round(metres * 100)} cm`;
    draw();
  }

  // ---- Colours.

  const stops = ["#440154", "#414487", "#2a788e", "#22a884", "#7ad151", "#fde725"].map((hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16)));
  function ramp(share) {
    const at = Math.min(Math.max(share, 0), 1) * (stops.length - 1), i = Math.min(Math.floor(at), stops.length - 2);
    return stops[i].map((v, k) => Math.round(v + (stops[i + 1][k] - v) * (at - i)));
  }
  const rgb = (c) => `rgb(${c[0]} ${c[1]} ${c[2]})`;
  const gradient = `linear-gradient(90deg, ${stops.map(rgb).join(", ")})`;
  const series = ["#4e79a7", "#f28e2b", "#59a14f", "#e15759", "#b07aa1", "#76b7b2", "#edc948", "#9c755f", "#ff9da7", "#86bcb6"];
  const groups = data.groups.map((name, i) => ({ name, colour: series[i % series.length] }));
  const DENSEST = 4;

  // Agents within a metre, by a grid of metres.
  function densities(shown) {
    const grid = new Map();
    const key = (x, y) => Math.floor(x) * 1e6 + Math.floor(y);
    for (const s of shown) {
      const k = key(s.x, s.y);
      if (!grid.has(k)) grid.set(k, []);
      grid.get(k).push(s);
    }
    for (const s of shown) {
      let count = 0;
      for (let i = -1; i <= 1; i++) for (let j = -1; j <= 1; j++) {
        for (const o of grid.get(key(s.x + i, s.y + j)) ?? []) {
          if ((o.x - s.x) ** 2 + (o.y - s.y) ** 2 <= 1) count++;
        }
      }
      s.density = count / Math.PI;
    }
  }
  function colourOf(s) {
    switch (state.colour) {
      case "group": return groups[s.w.group].colour;
      case "speed": return rgb(ramp(s.speed / fastest));
      case "density": return rgb(ramp(s.density / DENSEST));
      default: return data.profiles[s.w.profile].colour;
    }
  }

  // ---- Who is where.

  function shownAt(time) {
    const exact = Math.min(Math.max(time / interval, 0), frames - 1);
    const shown = [];
    for (const w of walkers) {
      if (state.hidden.has(state.colour === "group" ? `g${w.group}` : `p${w.profile}`)) continue;
      const at = exact - w.first;
      if (at < 0 || at > w.count - 1 + 1e-9) continue;
      const i = Math.min(Math.floor(at), w.count - 1), next = Math.min(i + 1, w.count - 1), t = at - i;
      const a = Math.max(i - 1, 0);
      shown.push({
        w, i, speed: speedOf(w, i),
        x: w.xs[i] + (w.xs[next] - w.xs[i]) * t, y: w.ys[i] + (w.ys[next] - w.ys[i]) * t,
        dx: w.xs[next] - w.xs[a], dy: w.ys[next] - w.ys[a],
      });
    }
    return shown;
  }

  // ---- Heat map: seconds that agents spent in each cell.

  let heat = null;
  function heatMap() {
    if (heat) return heat;
    const cell = Math.max(Math.max(world.w, world.h) / 260, 0.2);
    const columns = Math.ceil(world.w / cell), rows = Math.ceil(world.h / cell);
    const seconds = new Float64Array(columns * rows);
    for (const w of walkers) for (let i = 0; i < w.count; i++) {
      const c = Math.floor((w.xs[i] - view[0]) / cell), r = Math.floor((view[3] - w.ys[i]) / cell);
      if (c >= 0 && r >= 0 && c < columns && r < rows) seconds[r * columns + c] += interval;
    }
    const used = Array.from(seconds).filter((s) => s > 0).sort((a, b) => a - b);
    const most = used.length ? used[Math.floor(0.98 * (used.length - 1))] : 1;
    const picture = new ImageData(columns, rows);
    seconds.forEach((s, k) => {
      if (s <= 0) return;
      const share = Math.min(s / most, 1);
      picture.data.set([...ramp(share), 110 + 130 * Math.sqrt(share)], 4 * k);
    });
    const image = document.createElement("canvas");
    image.width = columns;
    image.height = rows;
    image.getContext("2d").putImageData(picture, 0, 0);
    heat = { image, cell, columns, rows, most, perSquare: most / (cell * cell) };
    return heat;
  }

  // ---- Drawing.

  function draw() {
    const ratio = devicePixelRatio || 1, { clientWidth: w, clientHeight: h } = stage;
    if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio)) {
      canvas.width = Math.round(w * ratio);
      canvas.height = Math.round(h * ratio);
    }
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, w, h);
    if (state.heat) {
      const { image, cell, columns, rows } = heatMap();
      const [x, y] = screen(view[0], view[3]);
      pen.imageSmoothingEnabled = true;
      pen.drawImage(image, x, y, columns * cell * camera.scale, rows * cell * camera.scale);
    }
    const shown = shownAt(state.time);
    if (state.colour === "density") densities(shown);
    if (state.trails) {
      const back = Math.max(1, Math.round(4 / interval));
      pen.lineWidth = 1.5;
      pen.lineJoin = "round";
      pen.globalAlpha = shown.length > 400 ? 0.25 : 0.5;
      for (const s of shown) {
        pen.strokeStyle = colourOf(s);
        pen.beginPath();
        for (let i = Math.max(0, s.i - back); i <= s.i; i++) pen.lineTo(...screen(s.w.xs[i], s.w.ys[i]));
        pen.lineTo(...screen(s.x, s.y));
        pen.stroke();
      }
      pen.globalAlpha = 1;
    }
    const rim = css("--panel");
    for (const s of shown) {
      const [x, y] = screen(s.x, s.y), r = Math.max(s.w.radius * camera.scale, 2.5);
      if (x < -r || y < -r || x > w + r || y > h + r) continue;
      pen.fillStyle = colourOf(s);
      pen.beginPath();
      pen.arc(x, y, r, 0, 7);
      pen.fill();
      if (r > 3.5) {
        pen.strokeStyle = rim;
        pen.lineWidth = Math.min(1.5, r / 4);
        pen.stroke();
        const length = Math.hypot(s.dx, s.dy);
        if (length > 1e-4) {
          pen.beginPath();
          pen.moveTo(x + (s.dx / length) * r * 0.25, y - (s.dy / length) * r * 0.25);
          pen.lineTo(x + (s.dx / length) * r * 0.85, y - (s.dy / length) * r * 0.85);
          pen.stroke();
        }
      }
      if (s.w.index === state.selected) {
        pen.strokeStyle = css("--accent");
        pen.lineWidth = 2.5;
        pen.beginPath();
        pen.arc(x, y, r + 4, 0, 7);
        pen.stroke();
      }
    }
    if (state.names || state.selected >= 0) {
      pen.font = `12px ${getComputedStyle(document.body).fontFamily}`;
      pen.textAlign = "center";
      pen.lineWidth = 3;
      pen.strokeStyle = css("--surroundings");
      pen.fillStyle = css("--text");
      // The selected one first; names that would cover another are left out.
      const taken = [];
      const ordered = [...shown].sort((a, b) => (b.w.index === state.selected) - (a.w.index === state.selected));
      for (const s of ordered) {
        if (!state.names && s.w.index !== state.selected) continue;
        const [x, y] = screen(s.x, s.y), above = y - Math.max(s.w.radius * camera.scale, 2.5) - 6;
        if (x < 0 || y < 0 || x > w || y > h) continue;
        const half = pen.measureText(s.w.name).width / 2 + 2;
        if (taken.some((t) => Math.abs(t.x - x) < t.half + half && Math.abs(t.y - above) < 14)) continue;
        taken.push({ x, y: above, half });
        pen.strokeText(s.w.name, x, above);
        pen.fillText(s.w.name, x, above);
      }
    }
    tell(shown);
    timeline();
    plots();
  }

  const fixed = (value, digits) => (Number.isFinite(value) ? value.toFixed(digits) : "–");
  function tell(shown) {
    const now = figures(state.time);
    $("clock").innerHTML = `${state.time.toFixed(1)} s <small>/ ${duration.toFixed(1)} s</small>`;
    const cards = [
      ["Present", now.present, "agents"], ["Left", now.arrived, `of ${walkers.length}`],
      ["Mean speed", fixed(now.speed, 2), "m/s"], ["Time", fixed(now.time, 1), "s"],
    ];
    $("figures").innerHTML = cards.slice(0, 3).concat([["Longest stay", fixed(longest, 1), "s"]])
      .map(([what, value, unit]) => `<div class="card"><span>${what}</span><strong>${value}</strong><small>${unit}</small></div>`).join("");
    const box = $("selected"), w = walkers[state.selected];
    box.hidden = !w;
    if (w) {
      const s = shown.find((s) => s.w === w), total = lengthOf(w, w.count - 1);
      const colour = s ? colourOf(s) : data.profiles[w.profile].colour;
      const rows = [
        ["Profile", data.profiles[w.profile].name], ["Appears", `${fixed(w.first * interval, 1)} s`],
        ["Leaves", w.first + w.count < frames ? `${fixed((w.first + w.count) * interval, 1)} s` : "stays"],
        ["Walked", s ? `${fixed(lengthOf(w, s.i), 1)} of ${fixed(total, 1)} m` : `${fixed(total, 1)} m`],
        ["Speed", s ? `${fixed(s.speed, 2)} m/s` : "–"],
      ];
      box.replaceChildren();
      const head = document.createElement("h2"), dot = document.createElement("i"), off = document.createElement("button");
      dot.style.background = colour;
      off.textContent = "Deselect";
      off.onclick = () => { state.selected = -1; draw(); };
      head.append(dot, w.name, off);
      const list = document.createElement("dl");
      for (const [what, value] of rows) {
        const term = document.createElement("dt"), text = document.createElement("dd");
        term.textContent = what;
        text.textContent = value;
        list.append(term, text);
      }
      box.append(head, list);
    }
  }
  const longest = top(walkers.map((w) => (w.count - 1) * interval));
  function lengthOf(w, until) {
    let sum = 0;
    for (let i = 1; i <= until; i++) sum += Math.hypot(w.xs[i] - w.xs[i - 1], w.ys[i] - w.ys[i - 1]);
    return sum;
  }

  // ---- Curves: the area under a line, with axes in round numbers.

  function sized(canvas) {
    const ratio = devicePixelRatio || 1, w = canvas.clientWidth, h = canvas.clientHeight;
    if (canvas.width !== Math.round(w * ratio)) canvas.width = Math.round(w * ratio);
    if (canvas.height !== Math.round(h * ratio)) canvas.height = Math.round(h * ratio);
    const pen = canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, w, h);
    return [pen, w, h];
  }
  function round(value) {
    const power = 10 ** Math.floor(Math.log10(Math.max(value, 1e-9)));
    return [1, 2, 2.5, 5, 10].map((k) => k * power).find((v) => v >= value - 1e-9);
  }
  function curve(pen, values, area, highest, colour) {
    const columns = Math.max(1, Math.min(area.w, frames));
    const point = (k) => {
      const f = columns > 1 ? Math.round((k / (columns - 1)) * (frames - 1)) : 0;
      return [area.x + (frames > 1 ? f / (frames - 1) : 0) * area.w, area.y + area.h * (1 - values[f] / highest)];
    };
    pen.beginPath();
    let open = false, first = 0, last = 0;
    const close = () => {
      if (!open) return;
      pen.lineTo(last, area.y + area.h);
      pen.lineTo(first, area.y + area.h);
      open = false;
    };
    for (let k = 0; k < columns; k++) {
      const [x, y] = point(k);
      if (!Number.isFinite(y)) { close(); continue; }
      if (!open) { pen.moveTo(x, area.y + area.h); first = x; open = true; }
      pen.lineTo(x, y);
      last = x;
    }
    close();
    pen.globalAlpha = 0.18;
    pen.fillStyle = colour;
    pen.fill();
    pen.globalAlpha = 1;
    pen.beginPath();
    let drawing = false;
    for (let k = 0; k < columns; k++) {
      const [x, y] = point(k);
      if (!Number.isFinite(y)) { drawing = false; continue; }
      if (drawing) pen.lineTo(x, y); else pen.moveTo(x, y);
      drawing = true;
    }
    pen.strokeStyle = colour;
    pen.lineWidth = 1.6;
    pen.lineJoin = "round";
    pen.stroke();
  }

  const curves = [
    { title: "Agents present", unit: "", values: present, digits: 0 },
    { title: "Mean speed", unit: "m/s", values: meanSpeed, digits: 2 },
    { title: "Agents that have left", unit: "", values: arrived, digits: 0 },
  ];
  for (const c of curves) {
    const box = document.createElement("div");
    box.className = "plot";
    box.innerHTML = `<h2>${c.title}<span></span></h2><canvas></canvas>`;
    c.value = box.querySelector("span");
    c.canvas = box.querySelector("canvas");
    c.highest = round(Math.max(top(c.values), c.unit ? 0.5 : 1));
    $("plots").append(box);
    scrub(c.canvas, 34, 6);
  }
  function plots() {
    const f = Math.round(state.time / interval);
    for (const c of curves) {
      const [pen, w, h] = sized(c.canvas);
      const area = { x: 34, y: 6, w: w - 40, h: h - 24 };
      pen.font = `11px ${getComputedStyle(document.body).fontFamily}`;
      pen.strokeStyle = css("--line");
      pen.fillStyle = css("--muted");
      pen.lineWidth = 1;
      pen.textBaseline = "middle";
      pen.textAlign = "right";
      for (const share of [0, 0.5, 1]) {
        const y = Math.round(area.y + area.h * (1 - share)) + 0.5;
        pen.beginPath();
        pen.moveTo(area.x, y);
        pen.lineTo(area.x + area.w, y);
        pen.stroke();
        const tick = c.highest * share;
        pen.fillText(String(Math.round(tick * 100) / 100), area.x - 5, y);
      }
      pen.textBaseline = "top";
      const step = round(duration / 4) || 1;
      for (let t = 0; t <= duration + 1e-9; t += step) {
        const x = area.x + (duration ? t / duration : 0) * area.w;
        pen.textAlign = t === 0 ? "left" : x > area.x + area.w - 14 ? "right" : "center";
        pen.fillText(t === 0 ? "0 s" : String(Math.round(t * 100) / 100), x, area.y + area.h + 5);
      }
      curve(pen, c.values, area, c.highest, css("--accent"));
      const x = area.x + (frames > 1 ? f / (frames - 1) : 0) * area.w, value = c.values[f];
      pen.strokeStyle = css("--text");
      pen.lineWidth = 1;
      pen.beginPath();
      pen.moveTo(x, area.y);
      pen.lineTo(x, area.y + area.h);
      pen.stroke();
      if (Number.isFinite(value)) {
        pen.fillStyle = css("--text");
        pen.beginPath();
        pen.arc(x, area.y + area.h * (1 - value / c.highest), 3, 0, 7);
        pen.fill();
      }
      c.value.textContent = `${fixed(value, c.digits)} ${c.unit}`;
    }
  }
  function timeline() {
    const [pen, w, h] = sized($("timeline"));
    const area = { x: 8, y: 8, w: w - 16, h: h - 16 };
    pen.fillStyle = css("--panel");
    pen.beginPath();
    pen.roundRect(0, 4, w, h - 8, 7);
    pen.fill();
    curve(pen, present, area, Math.max(top(present), 1), css("--muted"));
    const x = area.x + (duration ? state.time / duration : 0) * area.w;
    pen.fillStyle = css("--accent");
    pen.globalAlpha = 0.16;
    pen.beginPath();
    pen.roundRect(0, 4, x, h - 8, [7, 0, 0, 7]);
    pen.fill();
    pen.globalAlpha = 1;
    pen.fillRect(x - 1, 2, 2, h - 4);
    pen.beginPath();
    pen.arc(x, h / 2, 6, 0, 7);
    pen.fill();
    $("timeline").setAttribute("aria-valuenow", state.time.toFixed(1));
    $("timeline").setAttribute("aria-valuemax", duration.toFixed(1));
  }

  // ---- The key to the colours.

  function key() {
    const box = $("key");
    box.replaceChildren();
    const title = (text) => {
      const b = document.createElement("b");
      b.textContent = text;
      box.append(b);
    };
    const scale = (low, high) => {
      const bar = document.createElement("div"), ends = document.createElement("div");
      bar.className = "ramp";
      bar.style.background = gradient;
      ends.className = "ends";
      ends.innerHTML = `<span>${low}</span><span>${high}</span>`;
      const whole = document.createElement("div");
      whole.append(bar, ends);
      box.append(whole);
    };
    const rows = (list, prefix, of) => {
      const whole = document.createElement("div");
      list.forEach((item, i) => {
        const count = walkers.filter((w) => w[of] === i).length;
        if (!count) return;
        const row = document.createElement("button"), dot = document.createElement("i"), name = document.createElement("span"), much = document.createElement("em");
        row.className = "row" + (state.hidden.has(prefix + i) ? " off" : "");
        row.title = "Show or hide";
        dot.style.background = item.colour;
        name.textContent = item.name;
        much.textContent = count;
        row.append(dot, name, much);
        row.onclick = () => {
          if (!state.hidden.delete(prefix + i)) state.hidden.add(prefix + i);
          key();
          draw();
        };
        whole.append(row);
      });
      box.append(whole);
    };
    if (state.colour === "profile") { title("Profiles"); rows(data.profiles, "p", "profile"); }
    if (state.colour === "group") { title("Crowds and agents"); rows(groups, "g", "group"); }
    if (state.colour === "speed") { title("Speed"); scale("0", `${fastest} m/s`); }
    if (state.colour === "density") { title("Agents within 1 m"); scale("0", `${DENSEST} /m²`); }
    if (state.heat) { title("Time spent, all agents"); scale("0", `${fixed(heatMap().perSquare, 1)} s/m²`); }
  }

  // ---- Time.

  function seek(time) {
    state.time = Math.min(Math.max(time, 0), duration);
    draw();
  }
  const PLAY = "M8 5.5v13l11-6.5z", PAUSE = "M7 5h4v14H7zM13 5h4v14h-4z";
  let before = 0;
  function play(on = !state.playing) {
    if (on && state.time >= duration) state.time = 0;
    state.playing = on;
    $("play").querySelector("path").setAttribute("d", on ? PAUSE : PLAY);
    if (on) {
      $("start").classList.add("gone");
      before = performance.now();
      requestAnimationFrame(tick);
    }
  }
  function tick(now) {
    if (!state.playing) return;
    state.time += ((now - before) / 1000) * state.rate;
    before = now;
    if (state.time >= duration) {
      if (state.loop && duration > 0) state.time %= duration;
      else { state.time = duration; play(false); }
    }
    draw();
    requestAnimationFrame(tick);
  }

  // ---- Pointer and keys.

  function scrub(target, left, right) {
    const to = (event) => {
      const box = target.getBoundingClientRect();
      seek(((event.clientX - box.left - left) / (box.width - left - right)) * duration);
    };
    target.addEventListener("pointerdown", (event) => {
      target.setPointerCapture(event.pointerId);
      $("start").classList.add("gone");
      play(false);
      to(event);
    });
    target.addEventListener("pointermove", (event) => event.buttons && to(event));
  }
  scrub($("timeline"), 8, 8);
  const held = new Map();
  let walked = 0;
  stage.addEventListener("pointerdown", (event) => {
    if (event.target.closest("button, .key")) return;
    stage.setPointerCapture(event.pointerId);
    held.set(event.pointerId, [event.clientX, event.clientY]);
    walked = 0;
    stage.classList.add("dragging");
  });
  stage.addEventListener("pointermove", (event) => {
    const last = held.get(event.pointerId);
    if (!last) return;
    const here = [event.clientX, event.clientY];
    if (held.size === 2) {
      const [other] = [...held].filter(([id]) => id !== event.pointerId).map(([, p]) => p);
      const was = Math.hypot(last[0] - other[0], last[1] - other[1]), is = Math.hypot(here[0] - other[0], here[1] - other[1]);
      const box = stage.getBoundingClientRect();
      if (was > 0) zoom(is / was, (here[0] + other[0]) / 2 - box.left, (here[1] + other[1]) / 2 - box.top);
    } else {
      camera.x += here[0] - last[0];
      camera.y += here[1] - last[1];
      camera.fitted = false;
      moved();
    }
    walked += Math.hypot(here[0] - last[0], here[1] - last[1]);
    held.set(event.pointerId, here);
  });
  const release = (event) => {
    if (held.delete(event.pointerId) && walked < 4 && event.type === "pointerup") pick(event);
    if (!held.size) stage.classList.remove("dragging");
  };
  stage.addEventListener("pointerup", release);
  stage.addEventListener("pointercancel", release);
  function pick(event) {
    const box = stage.getBoundingClientRect(), px = event.clientX - box.left, py = event.clientY - box.top;
    let best = -1, nearest = 14;
    for (const s of shownAt(state.time)) {
      const [x, y] = screen(s.x, s.y), d = Math.hypot(x - px, y - py) - s.w.radius * camera.scale;
      if (d < nearest) { nearest = d; best = s.w.index; }
    }
    state.selected = best;
    draw();
  }
  stage.addEventListener("wheel", (event) => {
    event.preventDefault();
    const box = stage.getBoundingClientRect();
    zoom(Math.exp(-event.deltaY * 0.0015), event.clientX - box.left, event.clientY - box.top);
  }, { passive: false });

  function toggle(id, name) {
    $(id).onclick = () => {
      state[name] = !state[name];
      $(id).setAttribute("aria-pressed", state[name]);
      key();
      draw();
    };
  }
  toggle("trails", "trails");
  toggle("heat", "heat");
  toggle("names", "names");
  toggle("loop", "loop");
  $("colour").onchange = () => { state.colour = $("colour").value; state.hidden.clear(); key(); draw(); };
  $("rate").onchange = () => { state.rate = Number($("rate").value); };
  $("play").onclick = () => play();
  $("start").onclick = () => play(true);
  $("in").onclick = () => zoom(1.4);
  $("out").onclick = () => zoom(1 / 1.4);
  $("fit").onclick = fit;
  addEventListener("keydown", (event) => {
    if (event.target.closest("select") || event.ctrlKey || event.metaKey || event.altKey) return;
    const press = {
      " ": () => play(), ArrowLeft: () => seek(state.time - (event.shiftKey ? 5 : 1)), ArrowRight: () => seek(state.time + (event.shiftKey ? 5 : 1)),
      Home: () => seek(0), End: () => seek(duration), f: fit, "+": () => zoom(1.4), "-": () => zoom(1 / 1.4),
      t: () => $("trails").click(), h: () => $("heat").click(), n: () => $("names").click(), l: () => $("loop").click(),
      Escape: () => { state.selected = -1; draw(); },
    }[event.key];
    if (!press) return;
    event.preventDefault();
    if (event.key !== "f" && event.key !== "+") $("start").classList.add("gone");
    press();
  });
  new ResizeObserver(() => (camera.fitted ? fit() : draw())).observe(stage);

  $("about").textContent = `${walkers.length} agents · ${duration.toFixed(1)} s · ${data.source}`;
  if (data.profiles.length > 1 || data.groups.length === 1) state.colour = "profile"; else if (data.groups.length > 1) state.colour = "group";
  $("colour").value = state.colour;
  play(false);
  key();
  fit();
  // For scripts that look at the page.
  window.wayloom = { data, walkers, figures, seek, play, state, camera, zoom, fit, ready: true };
})();
