import type { Editor } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { NodeSelection, Plugin } from "@tiptap/pm/state";
import type { NodeView, NodeViewConstructor } from "@tiptap/pm/view";
import {
  bytesWords,
  fileAttributes,
  imageAttributes,
  pathOfFile,
  shownWidth,
} from "@/events/content/file-attributes";
import { isolated } from "@/events/core/text/isolated";
import { onFileArrival } from "./arrivals";
import type { FilesOptions } from "./files-options";
import styles from "./files.module.css";
import { removeBlock } from "./insert-files";
import { missingWords } from "./missing-words";
import { openImage } from "./open-image";
import { sizeHandle } from "./size-handle";
import { showUpload } from "./upload-card";
import { localAddress, onUploads, resumeUploads, uploadOf } from "./uploads";

/** The common base of image and file blocks, which shows an upload from this tab. */
abstract class FileView implements NodeView {
  readonly dom: HTMLElement;
  protected node: Node;
  protected readonly editor: Editor;
  private readonly card = document.createElement("div");
  private stopUpload: (() => void) | null = null;
  private readonly stopListening: () => void;

  constructor(tag: "figure" | "div", node: Node, editor: Editor) {
    this.dom = document.createElement(tag);
    this.node = node;
    this.editor = editor;
    this.stopListening = onUploads(() => this.lookForUpload());
  }

  protected get file(): string {
    return String(this.node.attrs.file ?? "");
  }

  protected lookForUpload(): void {
    const upload = uploadOf(this.file);
    if (upload && !this.stopUpload) {
      this.stopUpload = showUpload(this.card, upload, () => removeBlock(this.editor, this.file));
      this.dom.append(this.card);
    } else if (!upload && this.stopUpload) {
      this.stopUpload();
      this.stopUpload = null;
      this.card.remove();
      this.draw();
    }
  }

  protected abstract draw(): void;

  update(node: Node): boolean {
    if (node.type !== this.node.type) return false;
    const before = this.file;
    this.node = node;
    if (this.file !== before) {
      this.stopUpload?.();
      this.stopUpload = null;
      this.card.remove();
    }
    this.draw();
    this.lookForUpload();
    return true;
  }

  selectNode(): void {
    this.dom.classList.add("ProseMirror-selectednode");
  }

  deselectNode(): void {
    this.dom.classList.remove("ProseMirror-selectednode");
  }

  stopEvent(event: Event): boolean {
    return (
      event.target instanceof Element && event.target.closest("button, a, [role=slider]") !== null
    );
  }

  ignoreMutation(): boolean {
    return true;
  }

  destroy(): void {
    this.stopUpload?.();
    this.stopListening();
  }
}

class ImageView extends FileView {
  private readonly frame = document.createElement("div");
  private readonly picture = document.createElement("img");
  private readonly caption = document.createElement("figcaption");
  private readonly waiting = document.createElement("p");
  private readonly handle: HTMLElement;
  private readonly stopHearing: () => void;
  private again: ReturnType<typeof setTimeout> | null = null;
  private pause = 2_000;
  private readonly ended = new AbortController();

  constructor(node: Node, editor: Editor, position: () => number | undefined) {
    super("figure", node, editor);
    this.dom.className = "image";
    this.frame.className = styles.frame ?? "";
    this.waiting.className = styles.waiting ?? "";
    this.picture.decoding = "async";
    // A text may have hundreds of images, of which only a few are visible at a time.
    this.picture.loading = "lazy";
    this.picture.draggable = false;
    this.picture.addEventListener("load", () => this.setState("shown"));
    this.picture.addEventListener("error", () => this.miss());
    this.frame.addEventListener("dblclick", () => openImage(this.file, this.picture.alt));
    this.frame.addEventListener("click", () => {
      if (!editor.isEditable) openImage(this.file, this.picture.alt);
    });
    this.handle = sizeHandle(this.dom, (scale) => {
      const at = position();
      const old = at === undefined ? null : editor.state.doc.nodeAt(at);
      if (at === undefined || old?.type.name !== "image") return;
      const { tr, doc } = editor.state;
      tr.setNodeMarkup(at, null, { ...old.attrs, scale });
      if (editor.state.selection.eq(NodeSelection.create(doc, at)))
        tr.setSelection(NodeSelection.create(tr.doc, at));
      editor.view.dispatch(tr);
    });
    this.frame.append(this.picture, this.waiting, this.handle);
    this.dom.append(this.frame, this.caption);
    const online = () => this.dom.dataset.state === "missing" && this.load();
    addEventListener("online", online, { signal: this.ended.signal });
    this.stopHearing = onFileArrival((file) => {
      if (file === this.file && this.dom.dataset.state !== "shown") this.load();
    });
    this.draw();
    this.lookForUpload();
  }

  private setState(state: "loading" | "shown" | "missing"): void {
    this.dom.dataset.state = state;
    this.waiting.textContent =
      state === "missing" ? missingWords(this.pause, navigator.onLine) : "";
  }

  /**
   * Shows that the file is missing, temporarily or permanently. The image retries with growing
   * pauses until the file arrives.
   */
  private miss(): void {
    this.setState("missing");
    if (this.again) clearTimeout(this.again);
    this.again = setTimeout(() => this.load(), this.pause);
    this.pause = Math.min(60_000, this.pause * 2);
  }

  private load(): void {
    const local = localAddress(this.file);
    this.picture.src = local ?? pathOfFile(this.file, shownWidth);
  }

  protected draw(): void {
    const { file, alt, caption, width, height, scale, align } = imageAttributes(this.node.attrs);
    const isOther = this.dom.dataset.file !== (file ?? "");
    this.dom.dataset.file = file ?? "";
    this.dom.dataset.align = align;
    this.dom.style.setProperty("--scale", `${scale}%`);
    this.frame.style.aspectRatio = width && height ? `${width} / ${height}` : "";
    this.picture.alt = alt;
    this.caption.textContent = caption;
    this.caption.hidden = caption === "";
    this.handle.ariaValueNow = String(scale);
    if (!isOther) return;
    this.setState("loading");
    if (file !== null) this.load();
  }

  override destroy(): void {
    super.destroy();
    this.stopHearing();
    this.ended.abort();
    if (this.again) clearTimeout(this.again);
  }
}

class BlockView extends FileView {
  private readonly link = document.createElement("a");
  private readonly size = document.createElement("span");

  constructor(node: Node, editor: Editor) {
    super("div", node, editor);
    this.dom.className = "file";
    this.dom.append(this.link, this.size);
    this.draw();
    this.lookForUpload();
  }

  protected draw(): void {
    const { file, name, bytes } = fileAttributes(this.node.attrs);
    this.dom.dataset.file = file ?? "";
    this.link.textContent = isolated(name);
    this.link.download = "";
    this.link.ariaLabel = `Download ${name}`;
    if (file !== null) this.link.href = pathOfFile(file);
    this.size.textContent = bytes === null ? "" : bytesWords(bytes);
  }
}

/**
 * Renders images and files with views that can resize and upload them. Resumes the uploads that
 * earlier pages left.
 */
export function enableFileViews(editor: Editor, { documentId, userId }: FilesOptions): void {
  const image: NodeViewConstructor = (node, _view, position) =>
    new ImageView(node, editor, position);
  const file: NodeViewConstructor = (node) => new BlockView(node, editor);
  editor.registerPlugin(new Plugin({ props: { nodeViews: { image, file } } }));
  void resumeUploads(documentId, userId);
}
