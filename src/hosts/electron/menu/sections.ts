import type { MenuItemConstructorOptions } from 'electron'

/** The items of each section, with a line between those that have any. */
export function separated(
  ...sections: readonly MenuItemConstructorOptions[][]
): MenuItemConstructorOptions[] {
  return sections
    .map(dropEmpty)
    .filter((section) => section.length > 0)
    .flatMap((section, index) => (index === 0 ? section : [{ type: 'separator' }, ...section]))
}

/** Without menus in which there is nothing. */
export function dropEmpty(items: MenuItemConstructorOptions[]): MenuItemConstructorOptions[] {
  return items.filter(({ submenu }) => !Array.isArray(submenu) || submenu.length > 0)
}
