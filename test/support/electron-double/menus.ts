import { EventEmitter } from 'node:events'
import { app } from './app.ts'
import { assertAccelerator, roleOf } from './menu-rules.ts'
import { onAction } from './actions.ts'

interface ItemOptions {
  readonly label?: string
  readonly role?: string
  readonly type?: string
  readonly id?: string
  readonly accelerator?: string
  readonly registerAccelerator?: boolean
  readonly enabled?: boolean
  readonly visible?: boolean
  readonly checked?: boolean
  readonly submenu?: readonly ItemOptions[] | Menu
  readonly click?: (item: MenuItem, window: undefined, event: object) => void
}

export class MenuItem {
  readonly id: string | undefined
  readonly label: string
  readonly role: string | undefined
  readonly type: string
  readonly accelerator: string | undefined
  readonly submenu: Menu | undefined
  enabled: boolean
  visible: boolean
  checked: boolean
  readonly #click: ItemOptions['click']

  constructor(options: ItemOptions) {
    const { role, type, submenu, label } = options
    if (role === undefined && type !== 'separator' && (label === undefined || label === '')) {
      throw new Error(
        'Invalid template for MenuItem: must have at least one of label, role or type',
      )
    }
    if (options.checked !== undefined && type !== 'checkbox' && type !== 'radio')
      throw new Error(`The item '${label}' is checked, but no choice`)
    if (type === 'submenu' && submenu === undefined) throw new Error('Invalid submenu')
    const known = role === undefined ? undefined : roleOf(role)
    this.id = options.id
    this.role = role
    this.label = label ?? known?.label ?? ''
    this.type = type ?? (submenu === undefined ? 'normal' : 'submenu')
    this.accelerator = options.accelerator ?? known?.accelerator
    if (this.accelerator !== undefined) assertAccelerator(this.accelerator)
    this.enabled = options.enabled ?? true
    this.visible = options.visible ?? true
    this.checked = options.checked ?? false
    this.submenu =
      submenu === undefined || submenu instanceof Menu ? submenu : Menu.buildFromTemplate(submenu)
    this.#click = options.click
  }

  /** For the double: simulates that the user selects the item. */
  choose(): void {
    if (this.type === 'checkbox') this.checked = !this.checked
    if (this.role !== undefined) onRole(this.role)
    else this.#click?.(this, undefined, { triggeredByAccelerator: false })
  }
}

/** Roles handled by `app` and windows. Other roles are handled by the page or the system. */
const granted = new Map<string, () => void>([['quit', () => app.quit()]])

export function grantRole(role: string, handle: () => void): void {
  granted.set(role, handle)
}

function onRole(role: string): void {
  process.stderr.write(`[menu] role ${role}\n`)
  granted.get(role)?.()
}

let applicationMenu: Menu | null = null

interface PopupOptions {
  readonly window?: unknown
  readonly frame?: object
  readonly x?: number
  readonly y?: number
  readonly sourceType?: string
}

let popupWindow = (_asked: unknown): number => {
  throw new Error('Cannot open Menu without a BaseWindow present')
}

/** Set by the windows: number of the window in which a menu opens. */
export function usePopupWindow(find: (asked: unknown) => number): void {
  popupWindow = find
}

export class Menu extends EventEmitter {
  readonly items: MenuItem[] = []

  static buildFromTemplate(template: readonly (ItemOptions | MenuItem)[]): Menu {
    if (!Array.isArray(template))
      throw new TypeError('Invalid template for Menu: Menu template must be an array')
    const menu = new Menu()
    for (const item of template) menu.append(item instanceof MenuItem ? item : new MenuItem(item))
    return menu
  }

  static setApplicationMenu(menu: Menu | null): void {
    applicationMenu = menu
    const tops = menu?.items.map(({ label }) => label).join(', ') ?? 'none'
    process.stderr.write(`[menu] set: ${tops}\n`)
  }

  static getApplicationMenu(): Menu | null {
    return applicationMenu
  }

  append(item: MenuItem): void {
    this.items.push(item)
  }

  /**
   * Reported on stderr for tests. Without `x` and `y` it opens at the mouse; without an open window, in the focused window or any window.
   */
  popup({ window, x = -1, y = -1, sourceType = 'mouse' }: PopupOptions = {}): void {
    const at = x === -1 || y === -1 ? 'the mouse' : `${x} ${y}`
    const id = popupWindow(window)
    process.stderr.write(
      `[window ${id}] context menu at ${at} by ${sourceType}: ${seen(this).join(' | ')}\n`,
    )
  }

  getMenuItemById(id: string): MenuItem | null {
    for (const item of this.items) {
      const found = item.id === id ? item : item.submenu?.getMenuItemById(id)
      if (found) return found
    }
    return null
  }
}

/** Returns the item at a path like `View/Light or dark/Turn dark`. Labels may contain slashes. */
export function itemAt(menu: Menu | null, place: string): MenuItem | undefined {
  for (const item of menu?.items ?? []) {
    const label = item.label.replaceAll('&', '')
    if (label === place) return item
    if (item.submenu !== undefined && place.startsWith(`${label}/`))
      return itemAt(item.submenu, place.slice(label.length + 1))
  }
  return undefined
}

/** Simulates that the user opens the menu and selects an item. Reports an item that cannot be selected. */
export function chooseAt(kind: string, menu: Menu | null, place: string): void {
  const item = itemAt(menu, place)
  if (item?.visible !== true) process.stderr.write(`[${kind}] none: ${place}\n`)
  else if (!item.enabled) process.stderr.write(`[${kind}] disabled: ${place}\n`)
  else item.choose()
}

/** Text form of a menu: `Show keyboard shortcuts ?`, `(Pin or unpin B)` for a disabled item, `✓` for a checked item. */
export function seen({ items }: Menu): string[] {
  return items
    .filter(({ visible }) => visible)
    .map(({ type, label, accelerator, enabled, checked }) => {
      if (type === 'separator') return '—'
      const text = `${checked ? '✓ ' : ''}${label}${accelerator === undefined ? '' : ` ${accelerator}`}`
      return enabled ? text : `(${text})`
    })
}

onAction('menu', ({ label }) => chooseAt('menu', applicationMenu, String(label)))
onAction('menu-list', ({ label }) => {
  const menu =
    label === undefined ? applicationMenu : itemAt(applicationMenu, String(label))?.submenu
  process.stderr.write(`[menu] ${String(label)}: ${menu ? seen(menu).join(' | ') : 'none'}\n`)
})
const flat = (menu: Menu | null | undefined): MenuItem[] =>
  menu?.items.flatMap((item) => [item, ...flat(item.submenu)]) ?? []

onAction('menu-ids', () => {
  const ids = flat(applicationMenu).flatMap(({ id }) => id ?? [])
  process.stderr.write(`[menu] ids: ${ids.join(' ')}\n`)
})
onAction('menu-id', ({ id }) => {
  const item = applicationMenu?.getMenuItemById(String(id))
  if (item?.enabled === true) item.choose()
  else process.stderr.write(`[menu] cannot be chosen: ${String(id)}\n`)
})
