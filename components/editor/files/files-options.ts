/** The options of the code that adds files to a text. */
export type FilesOptions = {
  /** The document, and the person who adds the files. */
  documentId: string;
  userId: string;
  onRefuse: (sentence: string) => void;
};
