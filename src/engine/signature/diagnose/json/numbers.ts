/** How a number is written. `kept`: as it came; `shortest`: as JavaScript, PHP and Go write it; `float`: as Python and Ruby do. */
export type NumberStyle = 'kept' | 'shortest' | 'float'

/** A literal of JSON in a style; what is no number stays. */
export function rewriteNumber(literal: string, style: NumberStyle): string {
  if (style === 'kept' || !/^-?\d/.test(literal)) return literal
  const fractional = /[.eE]/.test(literal)
  const value = Number(literal)
  if (!Number.isFinite(value)) return literal
  if (style === 'shortest')
    return fractional || Number.isSafeInteger(value) ? String(value) : literal
  if (!fractional) return literal
  const text = String(value)
  return /[.e]/.test(text) ? text : `${text}.0`
}
