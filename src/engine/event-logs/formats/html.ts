import { recordsMark } from '#contract/log-page.ts'
import { AppError } from '../../platform/errors.ts'
import type { LogFormat } from '../formats.ts'
import { caseLines } from '../ndjson/rehearsal-lines.ts'
import { block, deliveryBlock, lineBlock } from '../format-parts/html.ts'

const html: LogFormat = {
  id: 'html',
  label: 'HTML page',
  about: 'One file to read in any browser, without Tabscope and offline.',
  extension: 'html',
  mediaType: 'text/html',
  returns: 'no',
  gzip: false,
  rehearsals: true,
  comfortable: 20_000,
  single: false,
  *write(head, items, env) {
    const [before, after] = env.page().split(recordsMark)
    if (before === undefined || after === undefined) {
      throw new AppError(
        'file_failed',
        'The page template of this format is damaged. Reinstall Tabscope, or choose another format.',
      )
    }
    yield before
    yield block('head', head)
    let deliveries = 0
    for (const item of items) {
      if (item.kind === 'delivery') {
        deliveries += 1
        yield* deliveryBlock(item.delivery)
      } else if (item.kind === 'rehearsal_case') yield* lineBlock('case', caseLines(item))
      else yield block(item.kind === 'rehearsal' ? 'rehearsal' : 'about', item)
    }
    yield block('end', { deliveries, removed: env.removed() })
    yield after
  },
}

export default html
