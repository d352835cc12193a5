import type { Page } from 'playwright-core'

/** Attempts of injected script, and the directive that must block each. */
const ATTEMPTS: Readonly<Record<string, string>> = {
  'inline script': 'script-src-elem',
  'inline handler': 'script-src-attr',
  'eval and its like': 'script-src',
  'script from elsewhere': 'script-src-elem',
  'inline style': 'style-src-elem',
  'style attribute': 'style-src-attr',
  'style from elsewhere': 'style-src-elem',
  'image from elsewhere': 'img-src',
  'request elsewhere': 'connect-src',
  'form elsewhere': 'form-action',
  'frame of any kind': 'frame-src',
  plugin: 'object-src',
  'media from elsewhere': 'media-src',
  'worker of its own text': 'worker-src',
  'other base': 'base-uri',
}

/** Returns the attempts that the page's policy did not block. The page is unusable afterwards. */
export async function unblockedAttempts(page: Page): Promise<string[]> {
  const { refused, ran } = await page.evaluate(tryAll)
  const missing = Object.entries(ATTEMPTS)
    .filter(([, directive]) => !refused.includes(directive))
    .map(([attempt]) => attempt)
  return [...missing, ...ran]
}

/** Runs in the page. It is sent there as source code. */
async function tryAll(): Promise<{ refused: string[]; ran: string[] }> {
  const refused: string[] = []
  const ran: string[] = []
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- the page gets this function alone
  const turn = async (ms = 0): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
  document.addEventListener('securitypolicyviolation', (event) => {
    refused.push(event.effectiveDirective)
  })
  // Code evaluated by DevTools may bypass the policy, but later code may not.
  await turn()
  Reflect.set(window, 'foreign', (what: string) => ran.push(what))
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- the page gets this function alone
  const add = (html: string): Element => {
    const box = document.createElement('div')
    box.innerHTML = html
    document.body.append(box)
    return box
  }
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- the page gets this function alone
  const script = (change: (made: HTMLScriptElement) => void): void => {
    const made = document.createElement('script')
    change(made)
    document.head.append(made)
  }
  const elsewhere = 'https://elsewhere.invalid'
  script((made) => (made.textContent = `foreign('inline script ran')`))
  script((made) => (made.src = `${elsewhere}/x.js`))
  script((made) => (made.src = `data:text/javascript,foreign('data script ran')`))
  add(`<button onclick="foreign('handler ran')"></button>`).querySelector('button')?.click()
  const words = ['eval', 'Function']
  for (const word of words) {
    try {
      const call: (text: string) => unknown = Reflect.get(window, word)
      const made = call(`foreign('${word} ran')`)
      if (typeof made === 'function') made()
    } catch {
      // As it must be.
    }
  }
  add('<style>body { color: red }</style><b style="color: red"></b>')
  add(`<link rel="stylesheet" href="${elsewhere}/x.css">`)
  add(`<img src="${elsewhere}/x.png"><audio src="${elsewhere}/x.ogg"></audio>`)
  add(
    `<iframe src="${elsewhere}"></iframe><iframe srcdoc="<script>top.foreign('frame')</script>"></iframe>`,
  )
  add(`<object data="${elsewhere}/x"></object><embed src="${elsewhere}/x">`)
  add(`<base href="${elsewhere}/">`)
  fetch(elsewhere).catch(() => undefined)
  navigator.sendBeacon(elsewhere, 'x')
  try {
    const text = new Blob([`postMessage('ran')`], { type: 'text/javascript' })
    const worker = new Worker(URL.createObjectURL(text))
    worker.addEventListener('message', () => ran.push('worker ran'))
  } catch {
    // As it must be.
  }
  add(`<form method="post" action="${elsewhere}"></form>`).querySelector('form')?.submit()
  // Violations are reported asynchronously.
  for (let i = 0; i < 50 && new Set(refused).size < 14; i += 1) await turn(20)
  return { refused, ran }
}
