import { buffer } from 'node:stream/consumers'
import type { DiagnosisCause } from '#contract/deliveries.ts'
import { escapeControls } from '#shared/text/visible.ts'
import { action, defineCommand } from '../command-line/command.ts'
import { secretFrom } from '../command-line/values.ts'
import { readInputFile } from '../command-line/input-file.ts'
import { colored, print } from '../output/output.ts'
import { UsageError } from '../command-line/errors.ts'
import { io } from '../command-line/io.ts'

export const command = defineCommand('verify', 'Check the signature of a body', [
  ['Check the body in a file', 'verify --secret-env HOOK_SECRET --signature 5f2c91… body.json'],
  ['Check the output of another command', 'verify --secret-env HOOK_SECRET --signature 5f2c91… -'],
])
  .argument('<file>', 'File with the raw body, or - for stdin')
  .requiredOption('--signature <hex>', 'Value of the signature header')
  .option('--secret <secret>', 'Secret that the body is signed with')
  .option('--secret-env <name>', 'Environment variable that holds the secret')
  .action(
    action(async (file, { signature, ...options }) => {
      const secret = secretFrom('secret', options.secret, options.secretEnv)
      if (secret === undefined) throw new UsageError('verify requires --secret or --secret-env.')
      const body = file === '-' ? await buffer(io.stdin) : await readInputFile(file)
      const { namedKey, verify } = await import('#engine/payload/signature/verify.ts')
      const { verdict } = verify(body, [signature.trim()], [namedKey('given', secret)])
      const bytes = body.byteLength
      if (verdict === 'valid') {
        print('verify', { valid: true, verdict, bytes }, () => summary('valid', bytes))
        return 0
      }
      const { conclusion, causes } = await diagnosisOf(body, signature, secret)
      print('verify', { valid: false, verdict: 'invalid', bytes, conclusion, causes }, () =>
        [
          summary('invalid', bytes),
          escapeControls(conclusion),
          ...causes.map(({ detail, fix }) =>
            escapeControls(conclusion.includes(detail) ? fix : `${detail} ${fix}`),
          ),
        ].join('\n'),
      )
      return 1
    }),
  )

function summary(verdict: 'valid' | 'invalid', bytes: number): string {
  const style = verdict === 'valid' ? 'green' : 'red'
  return `${colored(style, verdict)}: HMAC-SHA256 over ${bytes} bytes`
}

async function diagnosisOf(
  body: Uint8Array,
  signature: string,
  secret: string,
): Promise<{ conclusion: string; causes: DiagnosisCause[] }> {
  const { diagnose } = await import('#engine/diagnosis/diagnose.ts')
  const { conclusion, causes } = await diagnose({
    captured: {
      method: 'POST',
      path: '',
      headers: [['X-Service-Signature', signature]],
      trailers: [],
      brand: 'Service',
      arrival: 'complete',
      bytes: body.byteLength,
      body,
    },
    keyring: {
      endpoint: { name: 'given', applicationId: '', current: 'set', previous: 'none' },
      current: secret,
      previous: null,
      others: [],
      access: [],
      identifiers: [],
      applications: [],
    },
  })
  return { conclusion, causes: causes.filter(({ outcome }) => outcome === 'matches') }
}
