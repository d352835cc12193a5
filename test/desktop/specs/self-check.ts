import { describe, expect, it } from 'vitest'
import type { Specs } from './app-under-test.ts'

export const selfCheckSpecs: Specs = (binary) => {
  describe('--self-check', () => {
    it('passes', async () => {
      const { code, output } = await binary().run(['--self-check'])
      expect(output).not.toContain('"status":"failed"')
      expect(output).toContain('{"event":"verdict","verdict":"passed"')
      expect(code).toBe(0)
    })
  })
}
