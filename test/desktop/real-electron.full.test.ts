import { describe } from 'vitest'
import { specsOf } from './specs/all.ts'
import { openElectron, withoutElectron } from './specs/electron.ts'

if (withoutElectron !== null) console.log(`Skipped: ${withoutElectron}`)

describe.skipIf(withoutElectron !== null)('in Electron itself', () => specsOf(openElectron))
