/** The path of a part of a JSON value: `data.tags[3]`, and `data["a key"]` where a key is no plain word. `path`: that of the value, '' at the root. */
export function childPath(path: string, step: string | number): string {
  if (typeof step === 'number') return `${path}[${step}]`
  if (!/^[\w$]+$/.test(step)) return `${path}[${JSON.stringify(step)}]`
  return path === '' ? step : `${path}.${step}`
}

/** A step as findings write it behind `body`, whatever the key is: `.total`, `[3]`. */
export function findingStep(step: string | number): string {
  return typeof step === 'number' ? `[${step}]` : `.${step}`
}
