import { isHttp } from '#shared/text/address.ts'
import {
  BrowserWindow,
  clipboard,
  Menu,
  type ContextMenuParams,
  type MenuItemConstructorOptions,
  type WebContents,
} from 'electron'
import { separated } from './menu-items.ts'

type Clicked = Pick<ContextMenuParams, 'isEditable' | 'selectionText' | 'linkURL'> & {
  readonly editFlags: Pick<
    ContextMenuParams['editFlags'],
    'canCut' | 'canCopy' | 'canPaste' | 'canSelectAll'
  >
}

/**
 * What can be done where a page was clicked, or where its focus is. By roles, as in the Edit menu: macOS does them itself. `copy` puts text on
 * the clipboard. Empty: there is nothing to be done.
 */
export function contextMenuItems(
  { isEditable, selectionText, linkURL, editFlags }: Clicked,
  copy: (text: string) => void,
): MenuItemConstructorOptions[] {
  const { canCut, canCopy, canPaste, canSelectAll } = editFlags
  const edit: MenuItemConstructorOptions[] = isEditable
    ? [
        { role: 'cut', enabled: canCut },
        { role: 'copy', enabled: canCopy },
        { role: 'paste', enabled: canPaste },
      ]
    : selectionText.trim() !== '' && canCopy
      ? [{ role: 'copy' }]
      : []
  const protocol = URL.parse(linkURL)?.protocol
  // A link within the interface leads nowhere outside of it.
  const isWebLink = isHttp({ protocol })
  return separated(
    isWebLink ? [{ label: 'Copy link address', click: () => copy(linkURL) }] : [],
    edit,
    canSelectAll ? [{ role: 'selectAll', label: 'Select all' }] : [],
  )
}

/** Opens a context menu in `contents` on a right click, and by the keyboard's menu key or Shift+F10. Electron has none of its own. */
export function enableContextMenu(contents: WebContents): void {
  contents.on('context-menu', (_event, params) => {
    const window = BrowserWindow.fromWebContents(contents)
    const items = contextMenuItems(params, (text) => void clipboard.writeText(text))
    if (window === null || items.length === 0) return
    const { frame, x, y, menuSourceType } = params
    Menu.buildFromTemplate(items).popup({
      // Without it the menu opens in whichever window has the focus.
      window,
      // Null: the frame is gone.
      ...(frame === null ? {} : { frame }),
      // By the keyboard the mouse may be anywhere.
      ...(menuSourceType === 'keyboard' ? { x, y } : {}),
      sourceType: menuSourceType,
    })
  })
}
