// Rules of menus in Electron 45, from its documentation ("Menu", "MenuItem", "Accelerator").

const roles: Readonly<Record<string, { readonly label: string; readonly accelerator?: string }>> = {
  undo: { label: 'Undo', accelerator: 'CommandOrControl+Z' },
  redo: { label: 'Redo', accelerator: 'Shift+CommandOrControl+Z' },
  cut: { label: 'Cut', accelerator: 'CommandOrControl+X' },
  copy: { label: 'Copy', accelerator: 'CommandOrControl+C' },
  paste: { label: 'Paste', accelerator: 'CommandOrControl+V' },
  pasteAndMatchStyle: { label: 'Paste and Match Style', accelerator: 'Shift+CommandOrControl+V' },
  delete: { label: 'Delete' },
  selectAll: { label: 'Select All', accelerator: 'CommandOrControl+A' },
  reload: { label: 'Reload', accelerator: 'CommandOrControl+R' },
  toggleDevTools: { label: 'Toggle Developer Tools', accelerator: 'Ctrl+Shift+I' },
  zoomIn: { label: 'Zoom In', accelerator: 'CommandOrControl+Plus' },
  zoomOut: { label: 'Zoom Out', accelerator: 'CommandOrControl+-' },
  resetZoom: { label: 'Actual Size', accelerator: 'CommandOrControl+0' },
  togglefullscreen: { label: 'Toggle Full Screen', accelerator: 'F11' },
  recentDocuments: { label: 'Open Recent' },
  clearRecentDocuments: { label: 'Clear Menu' },
  window: { label: 'Window' },
  minimize: { label: 'Minimize', accelerator: 'CommandOrControl+M' },
  zoom: { label: 'Zoom' },
  front: { label: 'Bring All to Front' },
  close: { label: 'Close Window', accelerator: 'CommandOrControl+W' },
  help: { label: 'Help' },
  services: { label: 'Services' },
  hide: { label: 'Hide Tabscope', accelerator: 'Command+H' },
  hideOthers: { label: 'Hide Others', accelerator: 'Command+Alt+H' },
  unhide: { label: 'Show All' },
  quit: { label: 'Quit Tabscope', accelerator: 'CommandOrControl+Q' },
}
const macOnly = [
  'zoom',
  'front',
  'services',
  'hide',
  'hideOthers',
  'unhide',
  'recentDocuments',
  'clearRecentDocuments',
]

export function roleOf(
  role: string,
  platform: NodeJS.Platform = process.platform,
): { readonly label: string; readonly accelerator?: string } {
  const known = roles[role]
  if (known === undefined) throw new Error(`Unknown role '${role}'`)
  if (platform !== 'darwin' && macOnly.includes(role))
    throw new Error(`The role '${role}' is of macOS alone`)
  return known
}

const modifiers =
  /^(?:Command|Cmd|Control|Ctrl|CommandOrControl|CmdOrCtrl|Alt|Option|AltGr|Shift|Super|Meta)$/
const keys =
  /^(?:[0-9A-Z]|[)!@#$%^&*(:;"+=<,_\-.>?/~`{\][|\\}']|F(?:[1-9]|1\d|2[0-4])|Plus|Space|Tab|Capslock|Numlock|Scrolllock|Backspace|Delete|Insert|Return|Enter|Up|Down|Left|Right|Home|End|PageUp|PageDown|Escape|Esc|num\d|numdec|numadd|numsub|nummult|numdiv)$/

/** Throws for accelerators that Electron would log as invalid and ignore. */
export function assertAccelerator(accelerator: string): void {
  // The `+` key is `Plus`, but Electron also accepts `+` at the end.
  const words = accelerator.replace(/\+\+$/, '+Plus').split('+')
  const key = words.pop() ?? ''
  if (!keys.test(key) || !words.every((word) => modifiers.test(word)))
    throw new Error(`Invalid accelerator: ${accelerator}`)
}
