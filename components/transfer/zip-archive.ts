import { Zip, ZipDeflate, ZipPassThrough } from "fflate";

/** The size in bytes of the chunks handed to the browser, which may store them on disk. */
const chunkBytes = 16_000_000;

/** Builds an archive, file by file. */
export class ZipArchive {
  /** The size of the archive so far, in bytes. */
  bytes = 0;
  private readonly blobs: Blob[] = [];
  private chunks: Uint8Array<ArrayBuffer>[] = [];
  private waiting = 0;
  private readonly zip = new Zip((error, chunk) => {
    if (error) throw error;
    this.chunks.push(chunk.slice());
    this.bytes += chunk.length;
    this.waiting += chunk.length;
    if (this.waiting >= chunkBytes) this.handOver();
  });

  /** Adds a text file, compressed. */
  addText(name: string, text: string): void {
    const file = new ZipDeflate(name, { level: 6 });
    this.zip.add(file);
    file.push(new TextEncoder().encode(text), true);
  }

  /** Adds bytes uncompressed, because images are compressed already. */
  addBytes(name: string, bytes: Uint8Array): void {
    const file = new ZipPassThrough(name);
    this.zip.add(file);
    file.push(bytes, true);
  }

  finish(): Blob {
    this.zip.end();
    this.handOver();
    return new Blob(this.blobs, { type: "application/zip" });
  }

  private handOver(): void {
    this.blobs.push(new Blob(this.chunks));
    this.chunks = [];
    this.waiting = 0;
  }
}
