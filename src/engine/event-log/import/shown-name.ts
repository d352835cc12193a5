/** Longest name that is shown, in characters. */
const longest = 200

/** The name of a file as it is shown: without folders, whichever system they are of, and without what no name should hold. */
export function shownName(given: string): string {
  const [last = ''] = given.split(/[/\\]/).toReversed()
  const clean = last
    .toWellFormed()
    .replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '')
    .trim()
  if (clean === '' || clean === '.' || clean === '..') return 'Event log'
  return clean.length > longest ? `${clean.slice(0, longest).toWellFormed()}…` : clean
}
