import { location as pier9 } from '../bar.ts'

export interface Location {
  readonly uuid: string
  readonly id: string
  readonly name: string
}

/** Somebody who can approve an integration. All of it is made up. */
export interface User {
  readonly id: string
  readonly name: string
  readonly role: string
  readonly locations: readonly Location[]
}

const harbourBar = { uuid: '109e0000-91e2-4b00-8a00-00000000000c', id: '12', name: 'Harbour Bar' }
const oldMill = { uuid: '109e0000-91e2-4b00-8a00-00000000000f', id: '15', name: 'Old Mill' }
const rooftop = { uuid: '109e0000-91e2-4b00-8a00-000000000015', id: '21', name: 'Rooftop' }

/** Two who see different locations, since a token acts as the user who approved (SPEC, "Authentication" 2). */
export const users: readonly User[] = [
  { id: 'mara', name: 'Mara', role: 'floor manager', locations: [pier9, harbourBar] },
  { id: 'jonas', name: 'Jonas', role: 'owner', locations: [pier9, oldMill, rooftop] },
]

/** The user of that id; null when there is none. */
export function userOf(id: string | null): User | null {
  return users.find((user) => user.id === id) ?? null
}
