import type { RedactionRule } from '#contract/logs.ts'

/** RFC 9110, 5.1: what a name of a header is made of. */
const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/** What can be told of a rule without the engine; null: that one has to say. */
export function ruleFault(rule: RedactionRule): string | null {
  switch (rule.kind) {
    case 'header':
      if (rule.name === '') return 'Write the name of a header.'
      return headerName.test(rule.name)
        ? null
        : 'A name of a header has letters, digits and hyphens, and no space or colon.'
    case 'path':
      if (rule.path === '') return 'Write a path, such as $.data.name.'
      return rule.path.startsWith('$') ? null : 'A path begins with $, such as $.data.name.'
  }
}
