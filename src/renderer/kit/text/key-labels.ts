export const mac = /mac/i.test(globalThis.navigator?.platform ?? '')

/** The label of the modifier key on this machine. */
export const modKey = mac ? '⌘' : 'Ctrl'

const symbols: Readonly<Record<string, string>> = {
  ArrowDown: '↓',
  ArrowUp: '↑',
  Escape: 'Esc',
}

/** A key of the registry as a label: `Shift R`, `Ctrl K`, `↓`. */
export function keyLabel(key: string): string {
  const plus = key.indexOf('+')
  const [modifier, name] = plus > 0 ? [key.slice(0, plus), key.slice(plus + 1)] : ['', key]
  if (modifier !== '') return `${modifier === 'Mod' ? modKey : modifier} ${keyLabel(name)}`
  if (/^[A-Z]$/.test(key)) return `Shift ${key}`
  return symbols[key] ?? (key.length === 1 ? key.toUpperCase() : key)
}
