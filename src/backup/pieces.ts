/** Cuts a stream of bytes into pieces of `size` bytes. The last one is shorter, possibly empty, or as long. */
export async function* inPieces(
  bytes: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<{ piece: Buffer<ArrayBuffer>; isLast: boolean }> {
  let waiting: Uint8Array[] = []
  let length = 0
  for await (const part of bytes) {
    waiting.push(part)
    length += part.length
    // A full piece waits for the next byte, which shows that it is not the last one.
    if (length <= size) continue
    const joined = Buffer.concat(waiting)
    let start = 0
    for (; joined.length - start > size; start += size) yield { piece: joined.subarray(start, start + size), isLast: false }
    waiting = [joined.subarray(start)]
    length = joined.length - start
  }
  yield { piece: Buffer.concat(waiting), isLast: true }
}
