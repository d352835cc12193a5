/** The IDs are constant, so that different runs refer to the same bar. */

export interface Zone {
  readonly name: string
  readonly group: string
  readonly tags: readonly string[]
}

export interface Spot {
  readonly id: string
  readonly name: string
  readonly zone: Zone
}

export interface Category {
  readonly id: string
  readonly name: string
}

export interface Product {
  readonly id: string
  readonly uuid: string
  readonly name: string
  readonly category: Category
  /** In hundredths, including taxes and fees. Integers keep sums exact. */
  readonly cents: number
  readonly tags: readonly string[]
}

export interface Menu {
  readonly uuid: string
  readonly name: string
}

const uuidOf = (kind: string, number: number) =>
  `${kind}9e0000-91e2-4b00-8a00-${number.toString(16).padStart(12, '0')}`

export const location = { uuid: uuidOf('10', 9), id: '9', name: 'Pier 9' } as const

const patio: Zone = { name: 'Patio', group: 'Outside', tags: ['outside'] }
const hall: Zone = { name: 'Hall', group: 'Inside', tags: ['inside', 'quiet'] }
const bar: Zone = { name: 'Bar', group: 'Inside', tags: ['inside'] }

export const spots: readonly Spot[] = [patio, hall, bar].flatMap((zone, row) =>
  [1, 2, 3, 4].map((place) => {
    const number = row * 4 + place
    return { id: `${400 + number}`, name: `T${number}`, zone }
  }),
)

const drinks: Category = { id: '117', name: 'Drinks' }
const food: Category = { id: '118', name: 'Food' }
const sweets: Category = { id: '119', name: 'Sweets' }
export const categories: readonly Category[] = [drinks, food, sweets]

const card: readonly [name: string, category: Category, cents: number, tags: readonly string[]][] =
  [
    ['Pale Ale', drinks, 900, ['draught']],
    ['Stout', drinks, 950, ['draught']],
    ['House Red', drinks, 1100, ['wine']],
    ['Ginger Beer', drinks, 550, ['no alcohol']],
    ['Espresso Martini', drinks, 1450, ['cocktail', 'coffee']],
    ['Fries', food, 650, ['vegetarian']],
    ['Fish Tacos', food, 1525, ['fish']],
    ['Pier Burger', food, 1695, []],
    ['Halloumi “Crunch” 🍔', food, 1575, ['vegetarian', 'new']],
    ['Crème brûlée', sweets, 825, ['vegetarian']],
  ]

export const products: readonly Product[] = card.map(([name, category, cents, tags], index) => ({
  id: `${201 + index}`,
  uuid: uuidOf('20', 201 + index),
  name,
  category,
  cents,
  tags,
}))

export const menus: readonly Menu[] = [
  { uuid: uuidOf('30', 1), name: 'Evening' },
  { uuid: uuidOf('30', 2), name: 'Happy hour' },
]

/** Their email addresses and phone numbers use ranges reserved for examples. */
export const guestNames: readonly string[] = [
  'Miller',
  'Okafor',
  'Lindqvist',
  'Nakamura',
  'O’Brien',
  'Haddad',
  'Kowalczyk',
  'Moreau',
  'Silva',
  'Núñez',
]
