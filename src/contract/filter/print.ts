import type { Filter, FilterValue } from './ast.ts'

/** `parseFilter` of the result gives the same filter. */
export function printFilter(filter: Filter): string {
  switch (filter.kind) {
    case 'all':
      return ''
    case 'text':
      return !filter.quoted && isBareWord(filter.text) ? filter.text : quoted(filter.text)
    case 'not':
      return `-${grouped(filter.part)}`
    case 'and':
      return filter.parts.map(grouped).join(' ')
    case 'or':
      return filter.parts.map(grouped).join(' or ')
    case 'field': {
      const comparison = filter.comparison === '=' ? '' : filter.comparison
      const values = filter.values.map(printValue).join(',')
      if (filter.field === 'header') {
        return `header:${filter.path.join('')}${values === '' ? '' : `${filter.comparison}${values}`}`
      }
      return `${[filter.field, ...filter.path.map(printPart)].join('.')}:${comparison}${values}`
    }
  }
}

function grouped(filter: Filter): string {
  const text = printFilter(filter)
  return filter.kind === 'and' || filter.kind === 'or' ? `(${text})` : text
}

export function printValue({ text, quoted: wasQuoted }: Pick<FilterValue, 'text' | 'quoted'>) {
  return wasQuoted || !/^[^\s(),"<>=!][^\s(),"]*$/.test(text) ? quoted(text) : text
}

export function printLiteral(text: string): string {
  return printValue({ text, quoted: text.includes('*') })
}

/** Also quotes `none`, which has a special meaning, for values with any name. */
export function printExact(text: string): string {
  return printValue({ text, quoted: text.includes('*') || text.toLowerCase() === 'none' })
}

export function printPart(part: string): string {
  return /^[^\s():".<>]+$/.test(part) ? part : quoted(part)
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}

function isBareWord(text: string): boolean {
  return /^[^\s():"-][^\s():"]*$/.test(text) && !/^(?:and|or|not)$/i.test(text)
}
