import { searchedBytes } from '../store/indexer/limits.ts'
import type { Binder } from './binder.ts'
import type { BodyTest } from './body-test.ts'
import type { HeaderTest } from './header-test.ts'
import type { Term } from './world.ts'

/** A header that came, with one of the values where there are any. */
export function headerCondition(term: Term, binder: Binder): string {
  const test: HeaderTest = {
    name: term.path.join('').toLowerCase(),
    values: term.values.map(({ text, quoted }) => ({ text, quoted })),
  }
  const headers = '(SELECT c.headers FROM delivery_content AS c WHERE c.id = d.id)'
  return `filter_header(${headers}, ${binder.bind(JSON.stringify(test))})`
}

/** Text somewhere in the headers or in what is searched of the body. */
export function containsCondition(term: Term, binder: Binder): string {
  const values = binder.bind(
    JSON.stringify(term.values.map(({ text, quoted }) => ({ text, quoted }))),
  )
  return `coalesce((SELECT filter_contains(c.headers, c.trailers, coalesce(substr(c.body, 1, ${searchedBytes}), x''), length(c.body), ${values})
    FROM delivery_content AS c WHERE c.id = d.id), 0)`
}

/** A value in the body. */
export function bodyCondition(term: Term, binder: Binder): string {
  const { comparison } = term
  const test: BodyTest = {
    path: term.field === 'data' ? ['data', ...term.path] : term.path,
    comparison: comparison === '!=' ? '=' : comparison,
    values: term.values.map(({ text, quoted }) => ({ text, quoted })),
  }
  return `coalesce((SELECT ${spared(term.path.at(-1) ?? '', binder)} filter_body(c.id, c.body, ${binder.bind(JSON.stringify(test))}) END
    FROM delivery_content AS c WHERE c.id = d.id), 0)`
}

/** Most bodies need not be parsed: a key that a body has stands there in quotation marks, or escaped, and then there is a backslash. */
function spared(key: string, binder: Binder): string {
  const written = JSON.stringify(key)
  if (written.includes('\\')) return 'CASE WHEN 1 THEN'
  const bytes = binder.bind(Buffer.from(written))
  return `CASE WHEN instr(c.body, ${bytes}) = 0 AND instr(c.body, x'5c') = 0 THEN 0 ELSE`
}
