import { describe, expect, it } from 'vitest'
import { appVersion } from '#test/support/app-version.ts'
import type { Specs } from './app-under-test.ts'

export const selfCheckSpecs: Specs = (binary) => {
  describe('--self-check', () => {
    it('passes', async () => {
      const { code, output } = await binary().run(['--self-check'])
      expect(output).not.toContain('"status":"failed"')
      expect(output).toContain('{"event":"verdict","verdict":"passed"')
      expect(output).not.toContain('[notifications]')
      expect(code).toBe(0)
    })
  })

  describe('the command line of the app', () => {
    it('prints its version and its help, and refuses other words, without a window', async () => {
      const app = binary()
      expect(await app.run(['--version'])).toEqual({ code: 0, output: `tabscope ${appVersion}\n` })
      const help = await app.run(['--help'])
      expect(help.code).toBe(0)
      expect(help.output).toContain('Install the command line')
      const refused = await app.run(['deliveries', 'list'])
      expect(refused.code).toBe(2)
      expect(refused.output).toMatch(/^tabscope: "deliveries" is not .*\n$/)
    })
  })
}
