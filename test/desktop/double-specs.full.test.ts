import { openDouble } from './specs/double.ts'
import { specsOf } from './specs/all.ts'

specsOf(openDouble)
