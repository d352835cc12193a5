import type { HeaderCheck } from '#contract/deliveries.ts'
import { printable } from '../../printable.ts'
import { readSession } from '../in-session.ts'
import { logOf } from '../log-option.ts'
import { wayLines } from '../delivery-detail.ts'
import { idOf, parse } from '../options.ts'
import { coloured, writeJson, writeLine } from '../output.ts'

/** `deliveries headers ID`: each header that came or should have, against the document and the endpoint as it is now. */
export async function headers(args: string[]): Promise<number> {
  const { values, positionals } = parse(args, { log: { type: 'string' } }, 1)
  const id = idOf('deliveries headers needs the ID of a delivery.', positionals[0])
  return readSession(values, async (session) => {
    const log = await logOf(session, values.log)
    const checks = await session.call('deliveries.headers', { id, log })
    if (values.json) for (const check of checks) writeJson({ event: 'header', ...check })
    else {
      writeLine('Only the body is signed: a valid signature proves nothing about the headers.\n')
      for (const check of checks) if (check.source !== 'way') writeLine(headerText(check))
      const way = checks.filter(({ source }) => source === 'way')
      const said = wayLines(await session.call('deliveries.get', { id, log }))
      if (way.length > 0) {
        writeLine('\nAdded on the way, by a tunnel or proxy: not of the service’s document.\n')
      } else if (said.length > 0) writeLine('')
      for (const line of said) writeLine(line)
      for (const check of way) writeLine(headerText(check))
    }
    return 0
  })
}

function headerText(check: HeaderCheck): string {
  const { name, value, agrees, expected, note, meaning } = check
  return [
    `${markOf(check)}  ${coloured('cyan', printable(name))}${value === null ? '' : `: ${printable(value)}`}`,
    ...(agrees === true ? [] : detail('expected  ', expected)),
    ...detail('', note),
    ...detail('means     ', meaning),
  ].join('\n')
}

function detail(label: string, text: string | null): string[] {
  return text === null ? [] : [`              ${label}${printable(text)}`]
}

function markOf({ index, agrees }: HeaderCheck): string {
  if (index === null) return coloured('red', '✗ missing   ')
  if (agrees === null) return coloured('gray', '– not judged')
  return agrees ? coloured('green', '✓ agrees    ') : coloured('red', '✗ differs   ')
}
