import type { Page } from 'playwright-core'

// Checks of a page in addition to axe's rules. Each returns one line per fault, and includes shadow roots.

/** Shared functions of the checks. Injected through the debugger, because the page's content security policy forbids other scripts. */
const shared = `(() => {
  if (globalThis.probes) return
  const all = (root = document) => [...root.querySelectorAll('*')].flatMap((element) =>
    element.shadowRoot ? [element, ...all(element.shadowRoot)] : [element])
  const drawn = (element) => element.checkVisibility({ visibilityProperty: true })
  const name = (element) => {
    const [kind = ''] = (element.getAttribute('class') ?? '').split(' ')
    const text = element.getAttribute('aria-label') || element.innerText || element.title || ''
    return element.tagName.toLowerCase() + (kind && '.' + kind) + ' "' + text.trim().replace(/\\s+/g, ' ').slice(0, 40) + '"'
  }
  const kinds = 'a[href], button, input, select, textarea, summary, [tabindex], [contenteditable="true"]'
  /** Elements that the Tab key must reach: one radio button per group, and one tab per tab list. */
  const controls = () => {
    const groups = new Set()
    // Elements behind a dialog must not be reachable.
    const dialog = document.querySelector('[role="dialog"], [role="alertdialog"]')
    return all(dialog ?? document).filter((element) => {
      if (element.tabIndex < 0 || !element.matches(kinds) || element.matches(':disabled, [role="tablist"]')) return false
      if (element.closest('[inert]') || !drawn(element)) return false
      if (!element.matches('input[type="radio"]') || element.name === '') return true
      const checked = element.getRootNode().querySelector('input[type="radio"][name="' + CSS.escape(element.name) + '"]:checked')
      if ((checked !== null && checked !== element) || groups.has(element.name)) return false
      groups.add(element.name)
      return true
    })
  }
  /** Whether the focus is visible: at, in or around the element, or next to an element that is only for the keyboard. */
  const marked = (element) => {
    const outlined = (one, part = null) => {
      const style = getComputedStyle(one, part)
      return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0
    }
    if (outlined(element) || [...(element.parentElement?.children ?? [])].some((one) => outlined(one))) return true
    // The divider between two panes becomes thicker and colored.
    if (element.matches('[role="separator"]')) return getComputedStyle(element, '::after').content !== 'none'
    let at = element
    for (let up = 0; up < 6 && at; up += 1) {
      at = at.parentElement ?? at.getRootNode().host
      if (at && outlined(at)) return true
    }
    return [...element.querySelectorAll('*')].some((one) => outlined(one))
  }
  globalThis.probes = { all, drawn, name, controls, marked }
})()`

async function probe(page: Page, body: string, given: string | number = ''): Promise<string[]> {
  const faults: unknown = await page.evaluate(
    `${shared};((given) => {
      const { all, drawn, name, controls, marked } = globalThis.probes
      const faults = new Set()
      ${body}
      return [...faults]
    })(${JSON.stringify(given)})`,
  )
  return Array.isArray(faults) ? faults.map(String) : ['the probe failed']
}

/** Reports skipped heading levels, not exactly one h1, a title without the page's name, and jumps in the tab order. */
export function outlineFaults(page: Page, title: string): Promise<string[]> {
  return probe(
    page,
    `const headings = [...document.querySelectorAll('main :is(h1, h2, h3, h4, h5, h6)')].filter(drawn)
    const firsts = headings.filter(({ tagName }) => tagName === 'H1').length
    if (firsts !== 1) faults.add(firsts + ' first headings')
    let before = 0
    for (const heading of headings) {
      const level = Number(heading.tagName.slice(1))
      if (level > before + 1) faults.add(name(heading) + ' comes under level ' + before)
      before = level
    }
    if (document.title !== given + ' - Tabscope') faults.add('the title is ' + document.title)
    for (const one of all()) {
      if (Number(one.getAttribute('tabindex')) > 0) faults.add(name(one) + ' jumps the order')
    }`,
    title,
  )
}

/** Reports animations and transitions longer than 10 ms. For pages with reduced motion. */
export function motionFaults(page: Page): Promise<string[]> {
  return probe(
    page,
    `const longest = (list) => Math.max(...list.split(',').map((one) =>
      (one.trim().endsWith('ms') ? 1 : 1000) * parseFloat(one)))
    for (const element of all()) {
      for (const part of [null, '::before', '::after']) {
        const style = getComputedStyle(element, part)
        if (part !== null && style.content === 'none') continue
        if (longest(style.transitionDuration) > given) faults.add(name(element) + ' changes by and by')
        if (style.animationName !== 'none' && longest(style.animationDuration) > given) {
          faults.add(name(element) + ' moves by ' + style.animationName)
        }
        if (style.scrollBehavior === 'smooth') faults.add(name(element) + ' scrolls smoothly')
      }
    }`,
    10,
  )
}

/**
 * Reports problems in a small window: a page that is larger than the window, unreachable or covered controls, text
 * that is truncated without an ellipsis or squeezed into a narrow column, content above a scrolled area, and content that must be scrolled in both directions, except tables,
 * tab lists and code. Content behind a sheet is ignored, because the sheet closes on focus.
 */
export function reflowFaults(page: Page): Promise<string[]> {
  return probe(
    page,
    `const { scrollWidth, scrollHeight } = document.documentElement
    if (scrollWidth > innerWidth || scrollHeight > innerHeight) {
      faults.add('the page is ' + scrollWidth + ' by ' + scrollHeight)
    }
    const sheet = document.querySelector('.split-right')
    const covered = (element) => sheet !== null && element.closest('.split-left') !== null
    for (const control of controls()) {
      if (covered(control)) continue
      const seen = (control.matches('input') && control.closest('label')) || control
      seen.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      const { left, top, right, bottom, width, height } = seen.getBoundingClientRect()
      // Visible only while focused.
      if (width <= 1 || height <= 1) continue
      const x = (Math.max(0, left) + Math.min(innerWidth, right)) / 2
      const y = (Math.max(0, top) + Math.min(innerHeight, bottom)) / 2
      const [over] = control.getRootNode().elementsFromPoint(x, y)
      const there = over !== undefined && (over === seen || seen.contains(over) || over.contains(seen) || over.shadowRoot)
      if (over === undefined) faults.add(name(control) + ' cannot be brought into the window')
      else if (!there) faults.add(name(control) + ' lies under ' + name(over))
      else if (width <= innerWidth && (left < -1 || right > innerWidth + 1)) {
        faults.add(name(control) + ' runs out of the window, to ' + Math.round(right))
      }
    }
    for (const element of all()) {
      if (!drawn(element)) continue
      const { overflowX, overflowY, lineHeight, writingMode } = getComputedStyle(element)
      const { scrollWidth, clientWidth, clientHeight } = element
      const wide = element.matches('pre, code, [role="tablist"], .cm-scroller') || element.querySelector(':scope > table') !== null
      if (/auto|scroll/.test(overflowX) && scrollWidth > clientWidth + 1 && clientWidth > 1 && !wide) {
        faults.add(name(element) + ' is scrolled sideways, ' + scrollWidth + ' in ' + clientWidth)
      }
      // Content above the top of a scrolled area, as from 'align-items: end', can never be brought into view.
      if (/auto|scroll/.test(overflowY)) {
        const top = element.getBoundingClientRect().top - element.scrollTop
        for (const child of element.children) {
          const { top: at, height } = child.getBoundingClientRect()
          if (height > 1 && at < top - 1 && !/absolute|fixed|sticky/.test(getComputedStyle(child).position)) {
            faults.add(name(child) + ' begins ' + Math.round(top - at) + ' above what can be scrolled to')
          }
        }
      }
      const text = [...element.childNodes].map((node) => node.nodeType === 3 ? node.data.trim() : '').join('')
      const lines = clientHeight / (parseFloat(lineHeight) || 18)
      if (text.length > 24 && clientWidth > 1 && clientWidth < 60 && lines > 5 && writingMode === 'horizontal-tb') {
        faults.add(name(element) + ' is squeezed to ' + clientWidth)
      }
    }
    for (const element of all()) {
      const style = getComputedStyle(element)
      if (!/hidden|clip/.test(style.overflowX) || style.textOverflow === 'ellipsis') continue
      if (style.clipPath !== 'none' || element.matches('input') || !drawn(element)) continue
      if (element.closest('svg, [aria-hidden="true"], .cm-editor') || element.clientWidth === 0) continue
      if (element.scrollWidth > element.clientWidth + 1) {
        faults.add(name(element) + ' cuts ' + element.scrollWidth + ' to ' + element.clientWidth)
      }
    }`,
  )
}

/** Reports pairs of visible texts, icons and controls within `area` that overlap, and those that leave the window. */
export function overlapFaults(page: Page, area: string): Promise<string[]> {
  return probe(
    page,
    `const visible = (element) => {
      let { left, top, right, bottom } = element.getBoundingClientRect()
      for (let at = element.parentElement; !at.matches(given); at = at.parentElement) {
        if (getComputedStyle(at).overflow === 'visible') continue
        const clip = at.getBoundingClientRect()
        left = Math.max(left, clip.left)
        top = Math.max(top, clip.top)
        right = Math.min(right, clip.right)
        bottom = Math.min(bottom, clip.bottom)
      }
      return { element, left, top, right, bottom }
    }
    const hasText = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')
    const boxes = [...document.querySelectorAll(given)].flatMap((root) => [...root.querySelectorAll('*')])
      .filter((element) => drawn(element) && !element.closest('.visually-hidden') && !element.parentElement.closest('svg'))
      .filter((element) => hasText(element) || element.matches('svg, a, button'))
      .map(visible)
      .filter(({ left, top, right, bottom }) => right - left > 1 && bottom - top > 1)
    if (boxes.length === 0) faults.add('nothing to measure in ' + given)
    for (const [index, a] of boxes.entries()) {
      if (a.right > innerWidth + 1 || a.left < -1) faults.add(name(a.element) + ' leaves the window')
      for (const b of boxes.slice(index + 1)) {
        if (a.element.contains(b.element)) {
          if (b.left < a.left - 1 || b.right > a.right + 1) faults.add(name(b.element) + ' leaves ' + name(a.element))
          continue
        }
        const across = Math.min(a.right, b.right) - Math.max(a.left, b.left)
        const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
        if (across > 1 && down > 1) faults.add(name(a.element) + ' overlaps ' + name(b.element) + ' by ' + Math.round(across))
      }
    }`,
    area,
  )
}

/** Makes the next press of Tab start at the top of the page. A selection does not: Tab continues after the element that was focused last. */
export async function focusTop(page: Page): Promise<void> {
  await page.evaluate(focusTopScript)
}

const focusTopScript = `(() => {
  const top = document.createElement('span')
  top.tabIndex = -1
  document.body.prepend(top)
  top.focus()
  top.remove()
})()`

/** Reports elements that Tab does not reach, or that are not visibly focused or in view. */
export async function keyboardFaults(page: Page): Promise<string[]> {
  await probe(
    page,
    `const seen = []
    const deepest = (at) => at?.shadowRoot?.activeElement ? deepest(at.shadowRoot.activeElement) : at
    const unmarked = []
    const onFocus = () => {
      const at = deepest(document.activeElement)
      if (!at || at === document.body) return
      seen.push(at)
      if (!marked(at)) unmarked.push(name(at) + ' shows no focus')
      const { left, right, top, bottom } = at.getBoundingClientRect()
      if (right <= 0 || bottom <= 0 || left >= innerWidth || top >= innerHeight) {
        unmarked.push(name(at) + ' has the focus out of sight')
      }
    }
    // A dialog keeps the focus.
    if (document.querySelector('[role="dialog"]') !== null) seen.push(deepest(document.activeElement))
    else ${focusTopScript}
    document.addEventListener('focusin', onFocus)
    globalThis.round = { seen, unmarked, onFocus }`,
  )
  // Stops after one round, or when no further element gets the focus, as in a focus trap. The unreached elements are reported.
  let before = -1
  for (;;) {
    for (let press = 0; press < 10; press += 1) await page.keyboard.press('Tab')
    const [all, once] = await page.evaluate<[number, number]>(
      '(({ seen }) => [seen.length, new Set(seen).size])(globalThis.round)',
    )
    if (all > once + 2 || all === before || all > 1000) break
    before = all
  }
  return probe(
    page,
    `const { seen, unmarked, onFocus } = globalThis.round
    document.removeEventListener('focusin', onFocus)
    if (document.querySelector('[role="dialog"]') === null) document.activeElement?.blur()
    const reached = new Set(seen)
    for (const one of unmarked) faults.add(one)
    for (const one of controls()) if (!reached.has(one)) faults.add(name(one) + ' is never reached')`,
  )
}

/** With forced colors: reports states that look alike, and colors that are not system colors. */
export function forcedColourFaults(page: Page): Promise<string[]> {
  return probe(
    page,
    `const look = (element) => {
      const style = getComputedStyle(element)
      return [style.color, style.backgroundColor, style.borderBottomColor, style.borderBottomWidth, style.outlineStyle, style.outlineColor, style.fontWeight].join(' ')
    }
    const pairs = [
      ['[aria-current]:not([aria-current="false"])', (one) => !one.hasAttribute('aria-current')],
      ['[aria-selected="true"]', (one) => one.getAttribute('aria-selected') === 'false'],
      ['[aria-pressed="true"]', (one) => one.getAttribute('aria-pressed') === 'false'],
      ['.segment:has(:checked)', (one) => one.matches('.segment:not(:has(:checked))')],
    ]
    for (const [chosen, isOther] of pairs) {
      for (const one of document.querySelectorAll(chosen)) {
        if (!drawn(one)) continue
        const group = one.closest('ul, ol, nav, [role="tablist"], [role="listbox"], .segments') ?? one.parentElement
        const other = [...group.querySelectorAll(one.tagName)].find((element) => drawn(element) && isOther(element))
        if (other && look(one) === look(other)) faults.add(name(one) + ' looks like ' + name(other))
      }
    }
    const groundOf = (element) => {
      for (let at = element; at; at = at.parentElement) {
        const { backgroundColor } = getComputedStyle(at)
        if (!/, 0\\)$|transparent/.test(backgroundColor)) return backgroundColor
      }
      return ''
    }
    for (const one of all()) {
      const hasText = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')
      const { color, forcedColorAdjust } = getComputedStyle(one)
      // With forced colors, text has a backplate in the color of the page.
      const plate = forcedColorAdjust === 'auto' ? getComputedStyle(document.body).backgroundColor : ''
      if (hasText && drawn(one) && [groundOf(one), plate].includes(color)) faults.add(name(one) + ' cannot be read')
    }
    const tones = ['.note', '.tag', '.badge', '.disc', '.phases-bar', '.segments']
    for (const one of document.querySelectorAll(tones.join())) {
      const style = getComputedStyle(one)
      const framed = style.outlineStyle !== 'none' || style.borderTopStyle !== 'none'
      if (drawn(one) && !framed) faults.add(name(one) + ' has no frame')
    }
    for (const svg of document.querySelectorAll('svg')) {
      if (!drawn(svg)) continue
      const ground = getComputedStyle(document.body).backgroundColor
      for (const shape of svg.querySelectorAll('rect, path, line, circle, polyline')) {
        const { fill, stroke } = getComputedStyle(shape)
        if (fill === ground && (stroke === 'none' || stroke === ground)) faults.add('a shape of ' + name(svg.parentElement) + ' is not seen')
      }
    }`,
  )
}
