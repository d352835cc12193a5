import type { SyntaxNode, Tree } from '@lezer/common'
import { eventTypes } from '#catalogue/catalogue.ts'
import { knownValues } from '#catalogue/define.ts'
import { describeType } from '#catalogue/field-type.ts'
import { commonHeaders, deliveryHeaders } from '#catalogue/headers.ts'
import { commonFields } from '#catalogue/payload.ts'

interface Member {
  readonly name: string
  readonly detail: string
  readonly info: string
  readonly members?: () => readonly Member[]
  readonly values?: readonly string[]
}

export interface Offers {
  /** What an offer replaces. */
  readonly from: number
  readonly to: number
  /** Where the word begins by which the names are filtered. */
  readonly word: number
  readonly offers: readonly (Pick<Member, 'name' | 'detail' | 'info'> & {
    /** The inserted text. */
    readonly text: string
  })[]
}

/** Of which deliveries fields are offered. */
export interface Subject {
  readonly brand: string
  /** Its fields are listed first; null: no type. */
  readonly type: string | null
}

type Slice = (from: number, to: number) => string

/** What can be written at a position of a script: fields of the API documentation, tools, and the keys of a result. Null: nothing is known. */
export function offersAt(tree: Tree, slice: Slice, at: number, subject: Subject): Offers | null {
  const node = tree.resolveInner(at, -1)
  const scope = new Scope(tree, slice, subject)
  if (node.name === 'String') return stringOffers(node, scope)
  const parent = node.parent
  const member = node.name === 'MemberExpression' ? node : parent
  if (member?.name === 'MemberExpression' && !member.getChild('[')) {
    return memberOffers(member, node, at, scope)
  }
  const braces = [node, parent, parent?.parent].find((each) => each && isBraces(each))
  if (!braces || at <= braces.from || inValue(node, braces)) return null
  const isWord = /^(?:PropertyDefinition|PropertyName|VariableDefinition)$/.test(node.name)
  const from = isWord ? node.from : at
  const place = { from, to: isWord ? node.to : at, word: from }
  const fields = isResult(braces) ? resultKeys : scope.membersOfPattern(braces)
  const present = keysOf(braces, slice, place.from)
  const offers = fields.filter(({ name }) => !present.has(name) && /^\w{1,200}$/.test(name))
  const isKey = isResult(braces) && slice(place.to, place.to + 1) !== ':'
  return offersOr(
    place,
    offers.map((each) => ({ ...each, text: isKey ? `${each.name}: ` : each.name })),
  )
}

function offersOr(place: Omit<Offers, 'offers'>, offers: Offers['offers']): Offers | null {
  return offers.length === 0 ? null : { ...place, offers }
}

function isBraces({ name }: SyntaxNode): boolean {
  return name === 'ObjectExpression' || name === 'ObjectPattern'
}

function inValue(node: SyntaxNode, braces: SyntaxNode): boolean {
  for (let each: SyntaxNode | null = node; each && each.from > braces.from; each = each.parent) {
    if (/^(?:Pattern)?Property$/.test(each.name)) {
      const colon = each.getChild(':')
      return colon !== null && node.from >= colon.from
    }
  }
  return node.name === 'Spread' || node.parent?.name === 'ArrowFunction'
}

function keysOf(braces: SyntaxNode, slice: Slice, except: number): Set<string> {
  const keys = new Set<string>()
  for (let each = braces.firstChild; each; each = each.nextSibling) {
    const name = each.firstChild
    if (name && name.from !== except) keys.add(slice(name.from, name.to))
  }
  return keys
}

function memberOffers(
  member: SyntaxNode,
  node: SyntaxNode,
  at: number,
  scope: Scope,
): Offers | null {
  const dot = member.getChild('.') ?? member.getChild('?.')
  if (!dot || at < dot.to) return null
  const mark = dot.name === '?.' ? '?.' : ''
  return offersOr(
    { from: dot.from, to: node.name === 'PropertyName' ? node.to : at, word: dot.to },
    scope.membersOf(member.firstChild).map((each) => ({
      ...each,
      text: /^[\w$]+$/.test(each.name) ? `${mark || '.'}${each.name}` : `${mark}['${each.name}']`,
    })),
  )
}

function quoted(name: string, detail = '', info = ''): Offers['offers'][number] {
  return { name, detail, info, text: `'${name}'` }
}

function stringOffers(node: SyntaxNode, scope: Scope): Offers | null {
  const { parent } = node
  const place = { from: node.from, to: node.to, word: node.from + 1 }
  if (parent?.name === 'MemberExpression') {
    const members = scope.membersOf(parent.firstChild)
    return offersOr(
      place,
      members.map(({ name, detail, info }) => quoted(name, detail, info)),
    )
  }
  const key = parent?.name === 'Property' ? parent.firstChild : null
  if (key && scope.text(key) === 'sign') {
    return offersOr(place, [
      quoted('auto', '', 'Signed again if the body changed.'),
      quoted('keep', '', 'The signature as captured.'),
      quoted('none', '', 'Without a signature.'),
    ])
  }
  const compared =
    parent?.name === 'CaseLabel'
      ? (parent.parent?.parent?.getChild('ParenthesizedExpression') ?? null)
      : parent?.name === 'BinaryExpression'
        ? parent.firstChild?.from === node.from
          ? parent.lastChild
          : parent.firstChild
        : null
  return offersOr(
    place,
    (scope.memberAt(compared)?.values ?? []).map((value) => quoted(value)),
  )
}

function isResult(braces: SyntaxNode): boolean {
  const isConditional = braces.parent?.name === 'ConditionalExpression'
  let { parent } = braces
  while (
    parent &&
    /^(?:Parenthesized|Conditional|Assignment)Expression$/.test(parent.name) &&
    (parent.name !== 'AssignmentExpression' || !isConditional)
  ) {
    parent = parent.parent
  }
  return parent?.name === 'ReturnStatement' || (parent?.name === 'ArrowFunction' && !!parent.parent)
}

class Scope {
  readonly #variables = new Map<string, Member>()
  /** By the position of a destructuring pattern. */
  readonly #patterns = new Map<number, Member>()
  readonly #slice: Slice

  constructor(tree: Tree, slice: Slice, subject: Subject) {
    this.#slice = slice
    let parameters: SyntaxNode | null = null
    tree.iterate({
      enter: ({ node }) => {
        if (node.name === 'ParamList' && parameters === null) {
          parameters = node
          const [first, second] = bindings(node)
          this.#bind(first, deliveryOf(subject))
          this.#bind(second, tools)
        }
        if (node.name === 'VariableDeclaration') {
          const [pattern] = bindings(node)
          this.#bind(pattern, this.memberAt(node.getChild('Equals')?.nextSibling ?? null))
        }
      },
    })
  }

  text({ from, to }: SyntaxNode): string {
    return this.#slice(from, to)
  }

  membersOf(node: SyntaxNode | null): readonly Member[] {
    return this.memberAt(node)?.members?.() ?? []
  }

  membersOfPattern({ from }: SyntaxNode): readonly Member[] {
    return this.#patterns.get(from)?.members?.() ?? []
  }

  memberAt(node: SyntaxNode | null): Member | undefined {
    switch (node?.name) {
      case 'VariableName':
        return this.#variables.get(this.text(node))
      case 'ParenthesizedExpression':
        return this.memberAt(node.firstChild?.nextSibling ?? null)
      case 'BinaryExpression':
        return node.getChild('LogicOp') ? this.memberAt(node.firstChild) : undefined
      case 'MemberExpression': {
        const key = node.getChild('PropertyName') ?? node.getChild('String')
        const name = key && this.text(key).replaceAll(/['"]/g, '')
        return this.membersOf(node.firstChild).find((each) => each.name === name)
      }
      default:
        return undefined
    }
  }

  #bind(pattern: SyntaxNode | undefined, member: Member | undefined): void {
    if (!pattern || !member) return
    if (pattern.name === 'VariableDefinition') {
      this.#variables.set(this.text(pattern), member)
      return
    }
    this.#patterns.set(pattern.from, member)
    for (const property of pattern.getChildren('PatternProperty')) {
      const name = property.firstChild && this.text(property.firstChild)
      const [inner] = bindings(property)
      this.#bind(
        inner,
        member.members?.().find((each) => each.name === name),
      )
    }
  }
}

function bindings(node: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = []
  for (let each = node.firstChild; each; each = each.nextSibling) {
    if (each.name === 'VariableDefinition' || each.name === 'ObjectPattern') found.push(each)
  }
  return found
}

function member(
  name: string,
  detail: string,
  info: string,
  more: Pick<Member, 'members' | 'values'> = {},
): Member {
  return { name, detail, info, ...more }
}

const typeNames = eventTypes.map(({ type }) => type)

function deliveryOf(subject: Subject): Member {
  const headers = (): Member[] => [
    ...deliveryHeaders(subject.brand).map(({ lowerName, description }) =>
      member(lowerName, '', description),
    ),
    ...['content-type', 'user-agent'].map((name) => member(name, '', commonHeaders[name] ?? '')),
  ]
  return member('delivery', '', '', {
    members: () => [
      member('body', 'JSON', 'The parsed body. Null if it is not JSON.', {
        members: () => fieldsOf(subject),
      }),
      member('type', 'text', 'The event type, or null.', { values: typeNames }),
      member('headers', 'object', 'By name in lower case.', { members: headers }),
      member('text', 'text', 'The body as received.'),
      member('verdict', 'text', 'The result of the signature check.', {
        values: ['valid', 'invalid', 'missing', 'unsigned'],
      }),
      member('endpoint', 'text', 'The name of the endpoint, or null.'),
      member('id', 'number', 'The ID of the delivery in Tabscope.'),
      member('receivedAt', 'number', 'In milliseconds since 1970.'),
      member('method', 'text', 'POST.'),
      member('path', 'text', 'The path of the request.'),
    ],
  })
}

const tools = member('tools', '', '', {
  members: () => [
    member('crypto', '', 'HMAC, SHA-256 and Base64.', {
      members: () => [
        member('hmac', '(text, key)', 'HMAC SHA-256, in hex.'),
        member('sha256', '(text)', 'SHA-256, in hex.'),
        member('base64', '', '', {
          members: () => [member('encode', '(text)', ''), member('decode', '(text)', '')],
        }),
      ],
    }),
    member('log', '(...values)', 'Shown with the result: 20 lines of up to 500 characters.'),
    member('state', 'object', 'Kept for the next delivery, up to 16 KiB as JSON.'),
  ],
})

const resultKeys: readonly Member[] = [
  member('headers', 'object', 'Replaces headers of these names. Null removes one.'),
  member('body', 'text or JSON', 'Replaces the body.'),
  member('url', 'text', 'Where to send it instead.'),
  member('sign', 'text', '“auto”, “keep” or “none”.'),
  member('forward', 'false', 'It is not sent.'),
  member('status', 'number', 'Of the response, 200 to 599.'),
  member('delayMs', 'number', 'The response waits, in milliseconds.'),
  member('drop', 'true', 'Closes the connection without a response.'),
]

function fieldsOf(subject: Subject): Member[] {
  return commonFields.map(({ key, type, description }) =>
    member(key, describeType(type), description, {
      ...(key === 'type' && { values: typeNames }),
      ...(key === 'data' && { members: () => dataFields(subject) }),
    }),
  )
}

function dataFields({ brand, type }: Subject): Member[] {
  const ordered = eventTypes.toSorted((a, b) => Number(b.type === type) - Number(a.type === type))
  const fields = new Map<string, { readonly member: Member; readonly types: string[] }>()
  for (const event of ordered) {
    for (const field of event.data) {
      const known = fields.get(field.key)
      known?.types.push(event.type)
      if (known) continue
      const { key, description, inside } = field
      fields.set(key, {
        types: [event.type],
        member: member(key, describeType(field.type), description, {
          values: knownValues(field, brand),
          ...(inside && {
            members: () => [member(inside.key, 'text', '', { values: inside.known })],
          }),
        }),
      })
    }
  }
  return [...fields.values()].map(({ member: each, types }) => ({
    ...each,
    detail: types.includes(type ?? '') ? each.detail : `${each.detail}, ${typesText(types)}`,
  }))
}

function typesText([first = '', ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first} and ${others.length} more`
}
