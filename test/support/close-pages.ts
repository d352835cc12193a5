import { afterAll } from 'vitest'
import { closeBrowser } from './product.ts'

afterAll(closeBrowser)
