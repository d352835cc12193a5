import type { MenuItemConstructorOptions } from 'electron'
import { describe, expect, it } from 'vitest'
import { entries } from '#contract/commands.ts'
import {
  acceleratorOf,
  keyText,
  menuTemplate,
  type NamedCommand,
} from '#hosts/electron/menu/menu.ts'
import { assertAccelerator, roleOf } from '#test/support/electron-double/menu-rules.ts'

const platforms = ['darwin', 'linux', 'win32'] as const
const all = entries()

function build(
  platform: NodeJS.Platform,
  {
    bound = null,
    packaged = true,
    commands = all,
  }: {
    readonly bound?: readonly string[] | null
    readonly packaged?: boolean
    readonly commands?: readonly NamedCommand[]
  } = {},
) {
  const done: string[] = []
  const menu = menuTemplate({
    platform,
    packaged,
    commands,
    bound: bound === null ? null : new Set(bound),
    actions: {
      command: (name) => void done.push(name),
      show: () => void done.push('show'),
    },
  })
  return { menu, items: flat(menu), done }
}

function flat(items: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions[] {
  return items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? flat(item.submenu) : [])])
}

/** Calls the handler as Electron does, without the arguments that are not used. */
function click(item: MenuItemConstructorOptions | undefined): void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no item of ours looks at what it is given
  ;(item?.click as (() => void) | undefined)?.()
}

const commandOf = (id: string | undefined): string | undefined =>
  id?.startsWith('command:') === true ? id.slice('command:'.length) : undefined

const rolesOf = (platform: NodeJS.Platform, packaged: boolean) =>
  build(platform, { packaged }).items.map(({ role }) => role)

const enabledOf = (platform: NodeJS.Platform, bound: readonly string[] | null) =>
  build(platform, { bound })
    .items.filter(({ id, enabled }) => commandOf(id) !== undefined && enabled)
    .map(({ id }) => commandOf(id))

describe.each(platforms)('the menu on %s', (platform) => {
  const { menu, items } = build(platform)

  it('contains every command of the registry exactly once, and runs it', () => {
    const there = items.map(({ id }) => commandOf(id)).filter((name) => name !== undefined)
    expect(there.toSorted()).toEqual(all.map(([name]) => name).toSorted())

    const clicked = build(platform)
    for (const item of clicked.items) if (commandOf(item.id) !== undefined) click(item)
    expect(clicked.done).toEqual(there)
  })

  it('shows every key of every command, and does not intercept typing', () => {
    for (const [name, { label, keys }] of all) {
      const item = items.find(({ id }) => commandOf(id) === name)
      for (const key of keys) {
        const inLabel = item?.label?.includes(keyText(key, platform)) === true
        const inColumn = item?.accelerator === acceleratorOf(key)
        expect(inLabel || inColumn, `${name}: ${key}`).toBe(true)
      }
      expect(item?.label).toContain(label)
      // macOS cannot display a key without handling it, so there it must include Command.
      if (platform === 'darwin') expect(item?.accelerator ?? '⌘').toMatch(/CommandOrControl|⌘/)
      else expect(item?.registerAccelerator, name).toBe(false)
    }
  })

  it('uses valid accelerators and roles', () => {
    for (const { accelerator, role } of items) {
      if (accelerator !== undefined) expect(() => assertAccelerator(accelerator)).not.toThrow()
      if (role !== undefined) expect(() => roleOf(role, platform)).not.toThrow()
    }
  })

  it('leaves system shortcuts to the system: no shortcut is used twice', () => {
    const pressed = items
      .filter(({ registerAccelerator }) => registerAccelerator !== false)
      .map(({ accelerator, role }) =>
        (
          accelerator ?? (role === undefined ? undefined : roleOf(role, platform).accelerator)
        )?.replace(/^(?:CommandOrControl|Command|Cmd)\+/, 'Mod+'),
      )
      .filter((key) => key !== undefined)
    // Two pages use the same key to send, but only one of them is open at a time.
    const shared = 'Mod+Enter'
    const once = pressed.filter((key) => key !== shared)
    expect(once).toEqual([...new Set(once)])
  })

  it('has the roles that text fields need', () => {
    const roles = items.map(({ role }) => role)
    for (const role of ['undo', 'redo', 'cut', 'copy', 'paste', 'selectAll']) {
      expect(roles).toContain(role)
    }
    expect(menu[platform === 'darwin' ? 2 : 1]?.label).toBe('Edit')
  })

  it('has developer tools, and reload only when running from source', () => {
    expect(rolesOf(platform, true)).toContain('toggleDevTools')
    expect(rolesOf(platform, true)).not.toContain('reload')
    expect(rolesOf(platform, false)).toContain('toggleDevTools')
    expect(rolesOf(platform, false)).toContain('reload')
  })

  it('enables commands that the page has bound; without a page, those that open one', () => {
    expect(enabledOf(platform, ['pin'])).toEqual(['pin'])
    expect(enabledOf(platform, [])).toEqual([])
    expect(enabledOf(platform, null)).not.toContain('pin')
    for (const name of ['palette', 'go-settings', 'about', 'logs-import']) {
      expect(enabledOf(platform, null)).toContain(name)
    }
  })
})

describe('the menu of each system', () => {
  it('has the macOS structure on macOS', () => {
    const [app] = build('darwin').menu
    const roles = flat([app ?? {}]).map(({ role }) => role)
    for (const role of ['services', 'hide', 'hideOthers', 'unhide', 'quit']) {
      expect(roles).toContain(role)
    }
    const column = build('darwin').items.filter(({ accelerator }) => accelerator !== undefined)
    expect(column.map(({ accelerator }) => accelerator)).toContain('CommandOrControl+K')
    expect(column.map(({ accelerator }) => accelerator)).not.toContain('CommandOrControl+A')
  })

  it.each(['linux', 'win32'] as const)('has Quit in the File menu on %s', (platform) => {
    const file = build(platform).menu.find(({ label }) => label === 'File')
    expect(flat([file ?? {}]).map(({ role }) => role)).toContain('quit')
  })
})

describe('a key', () => {
  it.each([
    ['j', 'J', 'J', 'J'],
    ['G', 'Shift+G', 'Shift+G', '⇧G'],
    ['Shift+ArrowDown', 'Shift+Down', 'Shift+↓', '⇧↓'],
    ['Mod+Enter', 'CommandOrControl+Enter', 'Ctrl+↩', '⌘↩'],
    ['Mod+,', 'CommandOrControl+,', 'Ctrl+,', '⌘,'],
    ['Escape', 'Esc', 'Esc', 'Esc'],
    ['?', '?', '?', '?'],
    ['+', 'Plus', '+', '+'],
  ])('%j is the accelerator %j, displayed as %j and %j', (key, accelerator, elsewhere, mac) => {
    expect(acceleratorOf(key)).toBe(accelerator)
    expect(keyText(key, 'linux')).toBe(elsewhere)
    expect(keyText(key, 'darwin')).toBe(mac)
  })
})
