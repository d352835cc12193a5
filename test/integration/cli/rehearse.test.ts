import { expect, it } from 'vitest'
import { runCli } from '#test/support/run-cli.ts'
import { hmac, serveHandler } from '#test/support/rehearsal/handler.ts'
import { identity } from '#test/support/rehearsal/rehearse.ts'

it('prints the root cause of what fails first, with its cases and its fix', async () => {
  await using handler = await serveHandler({
    isAuthentic(body, given) {
      return hmac(JSON.stringify(JSON.parse(body.toString())), this.secret) === given
    },
  })
  const run = (...args: readonly string[]) =>
    runCli(
      `rehearse --ephemeral --to ${handler.url} --secret-env WEBHOOK_SECRET --only G7,S9,B1,B4 --framework express`
        .split(' ')
        .concat(args),
      { env: { WEBHOOK_SECRET: identity.secret } },
    )
  const { code, stdout } = await run()
  expect(code).toBe(1)
  const [, after = ''] = stdout
    .toString()
    .split('\n\n3 cases fail because the body is re-serialized\n')
  expect(after).toMatch(/^ {2}Cases: {4}S9, B1, B4\n {2}Fix: {6}Compute the HMAC-SHA256 over/)
  expect(after).toContain('\n\nS9: ')
  expect(after.split('Fix:')).toHaveLength(2)

  const json = await run('--json')
  const lines = json.stdout.toString().trim().split('\n')
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
    failures: [{ cause: 'reserialized', cases: ['S9', 'B1', 'B4'], fix: expect.any(String) }],
  })
})
