import { describe, expect, it, vi } from 'vitest'
import { contextMenuItems } from '#hosts/electron/menu/context-menu.ts'

vi.mock('electron', () => ({}))

const none = { canCut: false, canCopy: false, canPaste: false, canSelectAll: false }
const nowhere = { isEditable: false, selectionText: '', linkURL: '', editFlags: none }
const ignore = (): void => undefined

describe('the context menu', () => {
  it('is empty if no action applies', () => {
    expect(contextMenuItems(nowhere, ignore)).toEqual([])
  })

  it('shows the actions of a text field, and disables those that do not apply', () => {
    const editFlags = { ...none, canPaste: true, canSelectAll: true }
    expect(contextMenuItems({ ...nowhere, isEditable: true, editFlags }, ignore)).toEqual([
      { role: 'cut', enabled: false },
      { role: 'copy', enabled: false },
      { role: 'paste', enabled: true },
      { type: 'separator' },
      { role: 'selectAll', label: 'Select all' },
    ])
  })

  it.each([
    ['selected', 'dlv_12', [{ role: 'copy' }]],
    ['only whitespace', ' \n', []],
  ])('copies text of a page that is %s', (_name, selectionText, items) => {
    const editFlags = { ...none, canCopy: true }
    expect(contextMenuItems({ ...nowhere, selectionText, editFlags }, ignore)).toEqual(items)
  })

  it('copies the address of web links only', () => {
    const copied: string[] = []
    const copy = (text: string): void => void copied.push(text)
    const [item] = contextMenuItems({ ...nowhere, linkURL: 'https://a.invalid/?b=1' }, copy)
    expect(item?.label).toBe('Copy link address')
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the item looks at nothing that it is given
    ;(item?.click as (() => void) | undefined)?.()
    expect(copied).toEqual(['https://a.invalid/?b=1'])
    for (const linkURL of ['app://tabscope/index.html#/logs', 'javascript:alert(1)', 'nothing'])
      expect(contextMenuItems({ ...nowhere, linkURL }, copy)).toEqual([])
  })
})
