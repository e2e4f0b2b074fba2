import { styleText } from 'node:util'
import type { Output } from './terminal.ts'

export type Format = Parameters<typeof styleText>[0]

/** Returns the text in a colour or in bold, if the output is a terminal with colours. Node reads NO_COLOR and TERM. */
export const style = (output: Output, format: Format, text: string): string =>
  output.isTTY ? styleText(format, text, { stream: output }) : text
