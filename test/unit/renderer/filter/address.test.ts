import { beforeEach, describe, expect, it, vi } from 'vitest'
import { filterAddress, placeOf } from '#client/addresses/deliveries.ts'

const filterOf = (hash: string): string | null => placeOf(hash)?.filter ?? null

async function followed(hash = '') {
  const store = await import('#client/state/deliveries.ts')
  const { followAddress } = await import('#pages/deliveries/follow-address.ts')
  /** The history of a window, newest last. */
  const entries = [hash]
  let heard: (() => void) | null = null
  const location = {
    get hash() {
      return entries.at(-1) ?? ''
    },
    set hash(address: string) {
      entries.push(address)
      heard?.()
    },
    replace(address: string) {
      entries[entries.length - 1] = address
      heard?.()
    },
  }
  const page = {
    location,
    addEventListener: (_name: string, listener: () => void) => {
      heard = listener
    },
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of a window as the function uses
  followAddress(page as unknown as Window)
  return {
    ...store,
    entries,
    type: (text: string) => {
      store.useDeliveries.setState({ text })
      store.applyText()
    },
    visit: (address: string) => {
      entries.push(address)
      heard?.()
    },
    back: () => {
      entries.pop()
      heard?.()
    },
  }
}

describe('the address of a list', () => {
  it('encodes and decodes any filter', () => {
    for (const filter of ['', 'type:A,B', 'a & b=c # ? % +', '"Zoë 東京"', 'x'.repeat(4000)]) {
      expect(filterOf(filterAddress(filter)), filter).toBe(filter)
      expect(filterAddress(filter)).toMatch(/^#\/deliveries(\?filter=[^&#\s]+)?$/)
      expect(placeOf(filterAddress(filter, 12)), filter).toMatchObject({ scope: 12, filter })
      expect(filterAddress(filter, 12)).toMatch(/^#\/logs\/12(\?filter=[^&#\s]+)?$/)
    }
  })

  it('is null for other pages, and never exceeds the limit of the contract', () => {
    expect(['', '#', '#/', '#/deliveries', '#/deliveries?other=1'].map(filterOf)).toEqual(
      Array.from({ length: 5 }, () => ''),
    )
    const others = [
      '#/settings',
      '#/authorization/runs/1',
      '#/settings?filter=x',
      '#/logs',
      '#/logs/0',
    ]
    expect(others.map(filterOf)).toEqual(others.map(() => null))
    expect(filterOf(`#/deliveries?filter=${'x'.repeat(9000)}`)).toHaveLength(4000)
    expect(filterOf('#/deliveries?filter=%zz%')).toBe('%zz%')
  })
})

describe('the history', () => {
  beforeEach(() => vi.resetModules())

  it('has an entry for each applied filter, and one for a typed filter', async () => {
    const { entries, setFilterText, type, back, useDeliveries } = await followed()
    setFilterText('type:A')
    for (const text of ['v', 'verdict', 'verdict:valid', 'verdict:valid ']) type(text)
    setFilterText('verdict:valid')
    type('verdict:valid x')
    setFilterText('is:pinned')
    expect(entries.map((entry) => filterOf(entry))).toEqual([
      '',
      'type:A',
      'verdict:valid',
      'verdict:valid x',
      'is:pinned',
    ])
    back()
    back()
    expect(useDeliveries.getState()).toMatchObject({
      text: 'verdict:valid',
      filter: 'verdict:valid',
    })
    type('a')
    expect(entries.map((entry) => filterOf(entry))).toEqual(['', 'type:A', 'verdict:valid', 'a'])
  })

  it('keeps the entry that Back led to when the user types there', async () => {
    const { entries, setFilterText, type, back } = await followed()
    setFilterText('type:A')
    type('type:B')
    back()
    type('type:C')
    expect(entries.map((entry) => filterOf(entry))).toEqual(['', 'type:A', 'type:C'])
  })

  it('starts with the filter in the address', async () => {
    const { useDeliveries } = await followed('#/deliveries?filter=is%3Apinned')
    expect(useDeliveries.getState()).toMatchObject({ text: 'is:pinned', filter: 'is:pinned' })
  })

  it('shows no list while the filter in the address is invalid', async () => {
    const { useDeliveries, type, setFilterText } = await followed('#/deliveries?filter=verdict%3Ax')
    expect(useDeliveries.getState()).toMatchObject({
      text: 'verdict:x',
      filter: '',
      filterInvalid: true,
    })
    type('verdict:')
    expect(useDeliveries.getState().filterInvalid).toBe(true)
    setFilterText('')
    expect(useDeliveries.getState()).toMatchObject({ text: '', filter: '', filterInvalid: false })
  })

  it('leads to the list from another page, even with an unchanged filter', async () => {
    const { entries, setFilterText } = await followed('#/deliveries?filter=is%3Apinned')
    entries.push('#/settings')
    setFilterText('is:pinned')
    expect(entries.at(-1)).toBe('#/deliveries?filter=is%3Apinned')
  })

  it('keeps the last valid filter while typing another', async () => {
    const { entries, useDeliveries, type } = await followed()
    type('type:A')
    type('type:A verdict:')
    expect(useDeliveries.getState()).toMatchObject({ text: 'type:A verdict:', filter: 'type:A' })
    expect(entries.at(-1)).toBe('#/deliveries?filter=type%3AA')
  })
})
