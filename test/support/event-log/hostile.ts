/** Name of the file that hostile text creates in the working directory when it is executed. */
export const canary = 'canary'

/**
 * Text with a special meaning in a shell, JavaScript, JSON, HTML, Markdown, a spreadsheet, a terminal or
 * a chat. `mark` identifies the text in output, and needs no escaping.
 */
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
