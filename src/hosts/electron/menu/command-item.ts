import type { MenuItemConstructorOptions } from 'electron'
import type { Command } from '#contract/command.ts'
import { acceleratorOf, hasModifier, keyText } from './keys.ts'

export type NamedCommand = readonly [name: string, command: Command]

/** What the system's own items have: macOS would give the key to whichever stands first. */
const systemKeys: readonly string[] = [
  'a',
  'c',
  'v',
  'x',
  'z',
  'q',
  'w',
  'm',
  'h',
  '0',
  '-',
  '=',
  '+',
]

/** By this a menu that is set finds the item of a command. */
export function idOf(name: string): string {
  return `command:${name}`
}

/**
 * One command with its keys. The page listens to them itself, and has its text fields in view: so Linux and Windows only show them
 * (`registerAccelerator`). macOS knows no key that is only shown: there one with Command is the item's, which it does only where the page has
 * not taken it, and any other stands in the label, since it would be taken from all that is typed.
 */
export function commandItem(
  [name, { label, keys }]: NamedCommand,
  platform: NodeJS.Platform,
  enabled: boolean,
  click: () => void,
): MenuItemConstructorOptions {
  const common = { id: idOf(name), enabled, click }
  const shown = platform === 'darwin' ? keys.find(isForMac) : keys[0]
  const others = keys.filter((key) => key !== shown).map((key) => keyText(key, platform))
  return {
    ...common,
    label: others.length === 0 ? label : `${label} (${others.join(', ')})`,
    ...(shown === undefined ? {} : { accelerator: acceleratorOf(shown) }),
    ...(platform === 'darwin' ? {} : { registerAccelerator: false }),
  }
}

function isForMac(key: string): boolean {
  return hasModifier(key) && !systemKeys.some((own) => key === `Mod+${own}`)
}
