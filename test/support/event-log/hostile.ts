/** If hostile text is executed in any language, it creates a file of this name in the working directory. */
export const canary = 'canary'

/** Text that has an effect wherever it is not treated as data. `mark` is never escaped. */
export function hostile(mark: string): string {
  return [
    mark,
    `'; touch ${canary}; '`,
    `"; touch ${canary}; "`,
    `$(touch ${canary}) \`touch ${canary}\` | touch ${canary} & touch ${canary}`,
    `\n touch ${canary}\r\n touch ${canary}\r touch ${canary}\u2028 touch ${canary}`,
    `END_OF_BODY\nEOF\ntouch ${canary}\n`,
    `\`\`\`\`\`\n# Heading\n\n<img src=x onerror="alert(1)"></script><script>alert(1)</script>-->]]>`,
    `[link](https://link.example) ![](https://picture.example/x.png) <https://auto.example> www.bare.example https://bare.example`,
    `a@mail.example @everyone <!channel> <@U1> #1 | cell | \\| cell`,
    `"];import('node:fs').then((fs)=>fs.writeFileSync('${canary}','')) //\${process.exit(7)}*/ \\`,
    `\t=1+1;=cmd|' /C calc'!A0;@SUM(1);+1;-1`,
    `\u202Egpj.exe\u202C \u200B\u0007\u001B[31m\u001B]0;t\u0007 \u{E0041} é 世 🍺 %00 %s %n`,
  ].join(' ')
}
