/** What those need who put files into a text. */
export type FilesOptions = {
  /** The document that files are put into, and by whom. */
  documentId: string;
  userId: string;
  onRefuse: (sentence: string) => void;
};
