import type { ClientInput } from '../../platform/client.ts'

/** For a POSIX shell. */
export function commandOf(input: ClientInput<'generate.files'>): string {
  const { output, target = '', brand = 'Service', observed = null } = input
  const isFixtures = output === 'fixtures'
  const folder = output === 'handler' ? 'handler' : isFixtures ? 'webhook-tests' : null
  return [
    `tabscope generate ${output}`,
    ...(target === '' ? [] : [`--${output === 'types' ? 'language' : 'framework'} ${target}`]),
    ...(observed === null ? [] : [`${isFixtures ? '--filter' : '--observed'} ${quoted(observed)}`]),
    ...(brand === 'Service' ? [] : [`--brand ${quoted(brand)}`]),
    ...(folder === null ? [] : [`-o ${folder}`]),
  ].join(' ')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
