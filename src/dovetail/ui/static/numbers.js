// Numbers as a reader wants them: grouped digits, and units that fit.

const GROUPED = new Intl.NumberFormat("en");
const SECOND_STEPS = [
  [1e-6, "ns", 1e9],
  [1e-3, "µs", 1e6],
  [1, "ms", 1e3],
  [120, "s", 1],
];
const BYTES = ["bytes", "KiB", "MiB", "GiB", "TiB"];

export function count(number) {
  return number === null || number === undefined ? "–" : GROUPED.format(number);
}

// "1 cell", "2 cells".
export function counted(number, noun, nouns = `${noun}s`) {
  return `${count(number)} ${number === 1 ? noun : nouns}`;
}

export function seconds(value) {
  if (value === null || value === undefined) return "–";
  if (value === 0) return "0 s";
  for (const [bound, unit, factor] of SECOND_STEPS) {
    if (value < bound) return `${threeDigits(value * factor)} ${unit}`;
  }
  const [whole, minutes] = [Math.round(value), Math.round(value / 60)];
  if (whole < 7200) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  if (minutes < 2880) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return value < 86400 * 1000
    ? `${threeDigits(value / 86400)} days`
    : `${threeDigits(value / 31557600)} years`;
}

// A clock that runs: whole seconds, or tenths of one.
export function clock(value) {
  if (value === null || value === undefined) return "–";
  return value < 120 ? `${value.toFixed(1)} s` : seconds(Math.floor(value));
}

// Between which two times something is expected to end.
export function between(range) {
  if (!range) return "–";
  const [low, high] = [range[0], range[1]].map((value) => seconds(Math.max(1, Math.round(value))));
  return low === high ? `about ${low}` : `${low} to ${high}`;
}

export function bytes(value) {
  if (value === null || value === undefined) return "–";
  const step = Math.max(0, Math.min(BYTES.length - 1, Math.floor(Math.log2(Math.max(value, 1)) / 10)));
  return `${threeDigits(value / 1024 ** step)} ${BYTES[step]}`;
}

export function percent(share) {
  if (share === null || share === undefined) return "–";
  return share > 0 && share < 0.001 ? "< 0.1 %" : `${(100 * share).toFixed(share < 1 ? 1 : 0)} %`;
}

function threeDigits(value) {
  return value >= 1000 ? GROUPED.format(Math.round(value)) : String(Number(value.toPrecision(3)));
}
