-- SPDX-License-Identifier: BSD-3-Clause
-- README.md and docs/*.md as HTML pages, which lie all in one folder: their links; formulas, which are blocks ```math.
local header = "reference/index.html"

function Link(link)
    local file, anchor = link.target:match("^([^#]*)(#?.*)$")
    if link.target:match("^https?:") or file == "" then return link end
    file = file:gsub("^docs/", "")
    if file:match("ukode%.h$") then
        link.target = header
    elseif file:match("^[a-z_%-]+%.md$") then
        link.target = file:gsub("%.md$", ".html") .. anchor
    elseif file:match("^pictures/") or file:match("^[a-z_]+%.svg$") then
        link.target = file
    else -- of the source tree
        return link.content
    end
    return link
end

function Image(image)
    image.src = image.src:gsub("^docs/", "")
    return image
end

function CodeBlock(block)
    if block.classes:includes("math") then return pandoc.Para{pandoc.Math("DisplayMath", block.text)} end
end
