// Numbers as a reader wants them; times and sizes come in words from the server.

const GROUPED = new Intl.NumberFormat("en");

export function count(number) {
  return number === null || number === undefined ? "–" : GROUPED.format(number);
}

// "1 cell", "2 cells".
export function counted(number, noun, nouns = `${noun}s`) {
  return `${count(number)} ${number === 1 ? noun : nouns}`;
}

export function percent(share) {
  if (share === null || share === undefined) return "–";
  return share > 0 && share < 0.001 ? "< 0.1 %" : `${(100 * share).toFixed(share < 1 ? 1 : 0)} %`;
}
