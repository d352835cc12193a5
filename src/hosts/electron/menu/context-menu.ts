import { isHttp } from '#shared/text/address.ts'
import {
  BrowserWindow,
  clipboard,
  Menu,
  type ContextMenuParams,
  type MenuItemConstructorOptions,
  type WebContents,
} from 'electron'
import { separated } from './menu.ts'

type Clicked = Pick<ContextMenuParams, 'isEditable' | 'selectionText' | 'linkURL'> & {
  readonly editFlags: Pick<
    ContextMenuParams['editFlags'],
    'canCut' | 'canCopy' | 'canPaste' | 'canSelectAll'
  >
}

/** Uses roles like the Edit menu, which macOS runs itself. `copy` writes to the clipboard. Empty if there is nothing to do. */
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
  // A link within the interface has no address outside of the app.
  const isWebLink = isHttp({ protocol })
  return separated(
    isWebLink ? [{ label: 'Copy link address', click: () => copy(linkURL) }] : [],
    edit,
    canSelectAll ? [{ role: 'selectAll', label: 'Select all' }] : [],
  )
}

/** On a right click, the menu key or Shift+F10. Electron has none by default. */
export function enableContextMenu(contents: WebContents): void {
  contents.on('context-menu', (_event, params) => {
    const window = BrowserWindow.fromWebContents(contents)
    const items = contextMenuItems(params, (text) => void clipboard.writeText(text))
    if (window === null || items.length === 0) return
    const { frame, x, y, menuSourceType } = params
    Menu.buildFromTemplate(items).popup({
      // Without this, the menu opens in the focused window.
      window,
      // Null: the frame is gone.
      ...(frame === null ? {} : { frame }),
      // For the keyboard, the mouse position does not matter.
      ...(menuSourceType === 'keyboard' ? { x, y } : {}),
      sourceType: menuSourceType,
    })
  })
}
