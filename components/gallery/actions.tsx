"use client";

import { Check, Pencil, Plus, Trash2, X } from "lucide-react";
import { useState } from "react";
import { Button, buttonClass } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { Menu, MenuItem, MenuLink, MenuRule } from "@/components/ui/menu";
import { MenuChoice, MenuHeading } from "@/components/ui/menu-parts";
import { Tooltip } from "@/components/ui/tooltip";
import { Kind, Specimen } from "./specimen";

const looks = ["primary", "edge", "plain", "quiet", "danger"] as const;

const orders = [
  { value: "changed", label: "Last changed" },
  { value: "title", label: "Title", detail: "A to Z" },
] as const;

/** Shows buttons in every look and state, links that look like buttons, menus and tooltips. */
export function Actions() {
  const [order, setOrder] = useState<"changed" | "title">("changed");
  return (
    <Kind name="Actions">
      <Specimen name="Button">
        {looks.map((look) => (
          <Button key={look} look={look}>
            {look}
          </Button>
        ))}
      </Specimen>
      <Specimen name="Button, with an icon">
        {looks.map((look) => (
          <Button key={look} look={look}>
            <Icon of={Plus} />
            {look}
          </Button>
        ))}
      </Specimen>
      <Specimen name="Button, busy">
        {looks.map((look) => (
          <Button key={look} look={look} busy>
            {look}
          </Button>
        ))}
      </Specimen>
      <Specimen name="Button, disabled">
        {looks.map((look) => (
          <Button key={look} look={look} disabled>
            {look}
          </Button>
        ))}
      </Specimen>
      <Specimen name="Button, icon alone">
        {looks.map((look) => (
          <Button key={look} look={look} icon aria-label={`Close, ${look}`}>
            <Icon of={X} />
          </Button>
        ))}
      </Specimen>
      <Specimen name="Button, wide">
        <div className="whole">
          <Button look="primary" wide>
            Create account
          </Button>
        </div>
      </Specimen>
      <Specimen name="Link, plain and as a button">
        <Link href="/">Go to your workspaces</Link>
        <Link className={buttonClass({ look: "primary" })} href="/">
          Go to your workspaces
        </Link>
      </Specimen>
      <Specimen name="Menu">
        <Menu trigger={<Button look="edge">Document menu</Button>} label="Document">
          <MenuItem icon={Pencil} shortcut="F2">
            Rename
          </MenuItem>
          <MenuItem icon={Check} detail="In the list and on the page">
            With a detail
          </MenuItem>
          <MenuItem disabled>Not possible now</MenuItem>
          <MenuLink>
            <Link href="/">A link</Link>
          </MenuLink>
          <MenuRule />
          <MenuHeading>Order</MenuHeading>
          <MenuChoice value={order} onChange={setOrder} options={orders} />
          <MenuRule />
          <MenuItem icon={Trash2} danger>
            Move to trash
          </MenuItem>
        </Menu>
      </Specimen>
      <Specimen name="Tooltip, on hover and focus">
        <Tooltip text="Bold" detail="Ctrl+B">
          <Button look="edge">Bold</Button>
        </Tooltip>
      </Specimen>
    </Kind>
  );
}
