import { afterAll, beforeAll } from 'vitest'
import type { Binary, Specs } from './app-under-test.ts'
import { authorizationSpecs } from './authorization.ts'
import { launchRequestSpecs } from './launch-requests.ts'
import { interfaceSpecs } from './interface.ts'
import { selfCheckSpecs } from './self-check.ts'

const all: readonly Specs[] = [
  selfCheckSpecs,
  interfaceSpecs,
  launchRequestSpecs,
  authorizationSpecs,
]

export function specsOf(open: () => Promise<Binary>): void {
  let binary: Binary | null = null
  beforeAll(async () => {
    binary = await open()
  })
  afterAll(() => binary?.close())
  for (const specs of all) {
    specs(() => {
      if (!binary) throw new Error('the binary is there only while tests run')
      return binary
    })
  }
}
