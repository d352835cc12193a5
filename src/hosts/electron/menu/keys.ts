/** Keys of the registry by the name that Electron's accelerators have for them. A character stands for itself. */
const acceleratorNames: Readonly<Record<string, string>> = {
  ArrowDown: 'Down',
  ArrowUp: 'Up',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  Escape: 'Esc',
  '+': 'Plus',
  ' ': 'Space',
}

const signs: Readonly<Record<string, string>> = {
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  Enter: '↩',
  ' ': 'Space',
}

/** A key of the registry in parts: `Mod+Shift+Enter`, `G`, `+`. */
function parts(written: string): { modifiers: string[]; key: string } {
  const modifiers: string[] = []
  let key = written
  for (const modifier of ['Mod', 'Alt', 'Shift']) {
    if (key.length > modifier.length + 1 && key.startsWith(`${modifier}+`)) {
      modifiers.push(modifier)
      key = key.slice(modifier.length + 1)
    }
  }
  // A capital letter is one that is typed with Shift.
  if (/^[A-Z]$/.test(key) && !modifiers.includes('Shift')) modifiers.push('Shift')
  return { modifiers, key }
}

/** Whether the key is pressed together with Ctrl or Command, and is no character of a text. */
export function hasModifier(written: string): boolean {
  return parts(written).modifiers.includes('Mod')
}

/** A key of the registry as an accelerator of Electron: `CommandOrControl+K`, `Shift+G`, `Down`. */
export function acceleratorOf(written: string): string {
  const { modifiers, key } = parts(written)
  const named = modifiers.map((modifier) => (modifier === 'Mod' ? 'CommandOrControl' : modifier))
  return [...named, acceleratorNames[key] ?? (key.length === 1 ? key.toUpperCase() : key)].join('+')
}

/** The same for people, by the habit of the system: `⌘K`, `Shift+G`, `↓`. */
export function keyText(written: string, platform: NodeJS.Platform): string {
  const { modifiers, key } = parts(written)
  const mac = platform === 'darwin'
  const macSigns: Readonly<Record<string, string>> = { Mod: '⌘', Shift: '⇧', Alt: '⌥' }
  const named = modifiers.map((modifier) =>
    mac ? (macSigns[modifier] ?? modifier) : modifier === 'Mod' ? 'Ctrl' : modifier,
  )
  const sign = signs[key] ?? (key.length === 1 ? key.toUpperCase() : key)
  return [...named, sign].join(mac ? '' : '+')
}
