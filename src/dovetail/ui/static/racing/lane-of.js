// The lane of a race that an address names by its number.

export function laneOf({ lanes }, number) {
  const found = lanes.find((lane) => String(lane.number) === String(number));
  if (!found) throw new Error(`There is no lane ${number}.`);
  return found;
}
