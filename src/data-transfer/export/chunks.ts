/** Number of characters that are written at once. */
const chunkLength = 64 * 1024

/** Joins lines to chunks. One write per line would cost more than reading it. */
export async function* inChunks(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = ''
  for await (const line of lines) {
    chunk += line
    if (chunk.length < chunkLength) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}
